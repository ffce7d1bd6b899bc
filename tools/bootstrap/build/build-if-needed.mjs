// Bundles the entry points into dist/, by esbuild.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onlyOne } from '../workspace/only-one.mjs';
import { RouteListPlugin } from './route-list.mjs';
import { buildVendor, importVendor, vendorFolder } from './vendor.mjs';
import { SITE, buildWeb, removeSite } from './web.mjs';
import { BUNDLES, DIST, LOCKS, ROOT, SERVERS_OF_PAGES, WEB, say } from '../workspace/workspace.mjs';

/** Inputs of a bundle in addition to its sources. */
const BUILD_INPUTS = [
  'tools/bootstrap/build/build-if-needed.mjs',
  'tools/bootstrap/build/route-list.mjs',
  'tools/bootstrap/build/vendor.mjs',
  'tools/bootstrap/build/web.mjs',
  'tools/bootstrap/workspace/workspace.mjs',
  'tsconfig.base.json',
  'tsconfig.json',
  'package-lock.json',
];

/**
 * Builds the named bundles whose sources have changed, and the web pages where one serves them, unless those are built `later`. A bundle
 * without source is left out.
 */
export async function buildIfNeeded(names = Object.keys(BUNDLES), { later = [] } = {}) {
  const servesPages = names.some((name) => SERVERS_OF_PAGES.includes(name)) && !later.includes(WEB);
  const wanted = new Set([...names, ...(servesPages ? [WEB] : [])]);
  const existing = [...wanted].filter((name) => sourceOf(name) !== undefined);
  if (existing.every(isCurrent)) return;
  await onlyOne(
    join(LOCKS, 'build'),
    (pid) => say(`waiting for process ${pid}, which is building`),
    () => build(existing.filter((name) => !isCurrent(name))),
  );
}

/**
 * Builds the web pages in a process of its own while the catalog starts, unless they are built. Pages of
 * older sources go at once: a catalog keeps the first ones that it finds.
 */
export function buildPagesBeside() {
  if (isCurrent(WEB)) return;
  removeSite();
  // Not by `build.mjs`, which installs the packages of tests too.
  const script = `const { buildIfNeeded } = await import(${JSON.stringify(import.meta.url)}); await buildIfNeeded(['${WEB}']);`;
  const args = ['--input-type=module', '--eval', script];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 2, 2] });
  child.on('error', (error) => say(`the web pages could not be built: ${error.message}`));
  child.unref();
  process.on('exit', () => child.kill());
}

/** Bundles the packages, which the suites of jest import too, unless that is done. */
export async function buildPackagesIfNeeded() {
  if (existsSync(vendorFolder())) return;
  await onlyOne(
    join(LOCKS, 'build'),
    (pid) => say(`waiting for process ${pid}, which is building`),
    async () => {
      const esbuild = await import('esbuild');
      await buildVendor(esbuild).finally(() => esbuild.stop());
    },
  );
}

async function build(names) {
  if (names.length === 0) return;
  const startedAt = Date.now();
  const esbuild = await import('esbuild');
  try {
    if (names.some(hasPackagesBeside)) await buildVendor(esbuild);
    const routeList = new RouteListPlugin(esbuild, (outfile) => bundleOptions(outfile, true));
    const bundles = await Promise.allSettled(names.map((name) => bundle(esbuild, name, routeList)));
    const failed = bundles.find(({ status }) => status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  } finally {
    await esbuild.stop();
  }
  say(`built ${names.join(', ')} in ${Date.now() - startedAt} ms`);
}

async function bundle(esbuild, name, routeList) {
  const inputs =
    name === WEB ? await buildWeb(esbuild, sourceOf(name)) : await bundleProgram(esbuild, name, routeList);
  inputs.sort();
  mkdirSync(dirname(stampOf(name)), { recursive: true });
  writeFileSync(stampOf(name), JSON.stringify({ hash: hashOf(inputs), inputs }));
}

async function bundleProgram(esbuild, name, routeList) {
  const options = bundleOptions(join(DIST, `${name}.js`), hasPackagesBeside(name));
  const ofList = [];
  const { metafile } = await esbuild.build({
    ...options,
    entryPoints: [sourceOf(name)],
    plugins: [...options.plugins, routeList.for(ofList)],
    sourcemap: 'linked',
  });
  return [...new Set([...Object.keys(metafile.inputs), ...ofList])];
}

function bundleOptions(outfile, hasPackages) {
  return {
    absWorkingDir: ROOT,
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    plugins: hasPackages ? [importVendor(outfile)] : [],
    tsconfig: join(ROOT, 'tsconfig.json'),
    loader: { '.sql': 'text', '.css': 'text', '.svg': 'text', '.browser.js': 'text' },
    metafile: true,
    logLevel: 'warning',
  };
}

/** True when no file of the bundle has changed. */
function isCurrent(name) {
  if (!existsSync(outputOf(name)) || !existsSync(stampOf(name))) return false;
  if (hasPackagesBeside(name) && !existsSync(vendorFolder())) return false;
  const { hash, inputs } = JSON.parse(readFileSync(stampOf(name), 'utf8'));
  return inputs.includes(sourceOf(name)) && hash === hashOf(inputs);
}

function hashOf(inputs) {
  const hash = createHash('sha256');
  for (const path of [...BUILD_INPUTS, ...inputs]) {
    const file = join(ROOT, path);
    hash.update(`${path}\0`).update(existsSync(file) ? readFileSync(file) : 'gone');
  }
  return hash.digest('hex');
}

/** Servers and tools are started often and import most packages; the command line is one file of an npm package. */
function hasPackagesBeside(name) {
  return name !== 'apps/cli/main' && name !== WEB;
}

function outputOf(name) {
  return name === WEB ? join(SITE, 'index.html') : join(DIST, `${name}.js`);
}

function sourceOf(name) {
  return BUNDLES[name]?.find((path) => existsSync(join(ROOT, path)));
}

function stampOf(name) {
  return join(DIST, `${name}.stamp.json`);
}
