// Bundles the packages that the apps and tools import into few files. A program that reads these starts in half the time that it
// takes to find and read some 2,500 files of `node_modules`; each suite of jest saves even more.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { DIST, ROOT } from '../workspace/workspace.mjs';

/** What apps and tools import. All of a package comes from here or nothing: two copies of it would not know each other. */
const SPECIFIERS = [
  '@elastic/elasticsearch',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/microservices',
  '@nestjs/platform-fastify',
  'any-ascii',
  'avsc',
  'dataloader',
  'fzstd',
  'graphql',
  'httpxy',
  'jose',
  'kafkajs',
  'kafkajs/src/network/connection.js',
  'kafkajs/src/network/requestQueue/index.js',
  'kafkajs/src/protocol/decoder.js',
  'kafkajs/src/protocol/messageSet/decoder.js',
  'kafkajs/src/protocol/recordBatch/v0/decoder.js',
  'kafkajs/src/protocol/requests/fetch/v11/response.js',
  'leven',
  'lossless-json',
  'lz4js',
  'lz4js/xxh32.js',
  'pg',
  'pino',
  'prom-client',
  'rxjs',
  'snappyjs',
  'snowball-stemmers',
  'typeorm',
  'yaml',
  'zod',
];
const PACKAGES = new Set(SPECIFIERS.map(readPackageName));
/** Must be loaded before any decorator runs; esbuild keeps the order of external modules only. */
const FIRST = 'reflect-metadata';
const OWN_FILE = 'tools/bootstrap/build/vendor.mjs';
/** A package in CommonJS calls these. */
const COMMON_JS =
  "import { createRequire as toRequire } from 'node:module'; const require = toRequire(import.meta.url);" +
  'const __filename = import.meta.filename, __dirname = import.meta.dirname;';

/** How esbuild defines the name of a function or class that it may have renamed, and the same for renamed ones alone. */
const DEFINE_NAME =
  'var __name = (target, value) => __defProp(target, "name", { value, configurable: true });';
const DEFINE_OTHER_NAME = DEFINE_NAME.replace(
  '=>',
  '=> target.name === value || (target.name === "" && target.prototype === undefined) ? target :',
);

/** The folder of the bundled packages: another one for each set of installed packages. */
export function vendorFolder() {
  const hash = createHash('sha256');
  for (const path of ['package-lock.json', OWN_FILE]) hash.update(readFileSync(join(ROOT, path)));
  return join(DIST, `vendor-${hash.digest('hex').slice(0, 12)}`);
}

/**
 * Returns the file of a bundled package by the import specifier, `undefined` for any other package. **Errors**: throws for a part of a
 * bundled package that is not in the list.
 */
export function findBundledPackage(specifier, folder = vendorFolder()) {
  if (!PACKAGES.has(readPackageName(specifier))) return undefined;
  if (!SPECIFIERS.includes(specifier)) throw new Error(`add ${specifier} to SPECIFIERS in ${OWN_FILE}`);
  return join(folder, toFileName(specifier));
}

/** Makes the folder unless it exists. Nothing in it changes afterwards: a running app may still read from it. */
export async function buildVendor(esbuild) {
  const folder = vendorFolder();
  if (existsSync(folder)) return;
  mkdirSync(DIST, { recursive: true });
  const work = mkdtempSync(join(DIST, '.vendor-'));
  try {
    const entries = await Promise.all(SPECIFIERS.map(async (name) => writeEntry(work, name)));
    await esbuild.build({
      absWorkingDir: ROOT,
      entryPoints: entries,
      outdir: join(work, 'out'),
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      keepNames: true,
      external: [FIRST],
      banner: { js: COMMON_JS },
      plugins: [leaveOutMissing],
      logLevel: 'error',
    });
    keepOtherNames(join(work, 'out'));
    renameSync(join(work, 'out'), folder);
    removeOldVendors(DIST);
  } finally {
    rmSync(work, { recursive: true });
  }
}

/**
 * Makes the bundles define only the names that bundling changed, and none of arrow functions, which only stack traces show. esbuild defines
 * that of each function whenever the code makes one, which took a request a twentieth of its processor time. **Errors**: throws when esbuild writes its helper in another way.
 */
function keepOtherNames(folder) {
  const texts = readdirSync(folder).map((name) => ({
    file: join(folder, name),
    text: readFileSync(join(folder, name), 'utf8'),
  }));
  const own = texts.filter(({ text }) => text.includes(DEFINE_NAME));
  if (own.length === 0) throw new Error(`esbuild keeps names in another way than ${OWN_FILE} expects`);
  for (const { file, text } of own) writeFileSync(file, text.replace(DEFINE_NAME, DEFINE_OTHER_NAME));
}

/** Removes all such folders of `dist` but the newest two: a catalog that still runs may read from the one before. */
export function removeOldVendors(dist) {
  const folders = readdirSync(dist).filter((name) => /^vendor-[0-9a-f]+$/.test(name));
  const byAge = folders.map((name) => ({ name, madeMs: statSync(join(dist, name)).mtimeMs }));
  byAge.sort((one, other) => other.madeMs - one.madeMs);
  for (const { name } of byAge.slice(2)) rmSync(join(dist, name), { recursive: true });
}

/** For esbuild: has a bundle at `outfile` import the bundled packages. */
export function importVendor(outfile) {
  return {
    name: 'import-vendor',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        const file = kind === 'entry-point' ? undefined : findBundledPackage(path);
        if (file === undefined) return undefined;
        const target = relative(join(outfile, '..'), file);
        return { path: target.startsWith('.') ? target : `./${target}`, external: true };
      });
    },
  };
}

/** Packages name others that are optional; one that is not installed fails when it is used, as without a bundle. */
const leaveOutMissing = {
  name: 'leave-out-missing',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, kind, importer, resolveDir }) => {
      if (pluginData === 'asked' || kind === 'entry-point') return undefined;
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: 'asked' });
      return found.errors.length > 0 ? { path, external: true } : found;
    });
  },
};

/** Writes a module that exports what Node finds in the package: esbuild finds no names in CommonJS. */
async function writeEntry(folder, name) {
  const found = Object.keys(await import(name)).filter((one) => /^[\w$]+$/.test(one) && one !== 'default');
  const lines = [
    `import * as all from ${JSON.stringify(name)};`,
    ...found.map((one, at) => `const v${at} = all.${one}; export { v${at} as ${one} };`),
    'export default all.default;',
  ];
  const file = join(folder, toFileName(name).replace(/js$/, 'mjs'));
  writeFileSync(file, lines.join('\n'));
  return { in: file, out: toFileName(name).replace(/\.js$/, '') };
}

function readPackageName(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function toFileName(specifier) {
  return `${specifier.replace(/^@/, '').replace(/\.js$/, '').replaceAll('/', '-')}.js`;
}
