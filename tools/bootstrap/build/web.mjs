// Bundles the web pages for browsers, by esbuild.
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DIST, ROOT } from '../workspace/workspace.mjs';

/** The folder that the catalog serves: hashed files, and the page that loads them. */
export const SITE = join(DIST, 'apps/web/site');
/** There after a build that failed: the catalog then says so in place of the pages. */
const FAILED = join(dirname(SITE), 'failed');
const WORK = '.site-';
const PAGE = 'apps/web/index.html';
const ICONS = 'node_modules/@iconify-json/lucide/icons.json';
/** Every page shows it at once. */
const FONT_OF_TEXT = /^inter-latin-wght-normal-/;

/** The catalog answers that the pages are being built, until they are. */
export function removeSite() {
  for (const path of [SITE, FAILED]) rmSync(path, { recursive: true, force: true });
}

/** Writes the site anew and returns the sources that it was made from. */
export async function buildWeb(esbuild, entry) {
  mkdirSync(dirname(SITE), { recursive: true });
  // A build that was killed has left its folder.
  for (const name of readdirSync(dirname(SITE)))
    if (name.startsWith(WORK)) rmSync(join(dirname(SITE), name), { recursive: true });
  rmSync(FAILED, { force: true });
  const work = mkdtempSync(join(dirname(SITE), WORK));
  try {
    const { metafile } = await esbuild.build({
      absWorkingDir: ROOT,
      entryPoints: [entry],
      outdir: work,
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2023',
      jsx: 'automatic',
      define: { 'process.env.NODE_ENV': '"production"' },
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      assetNames: '[name]-[hash]',
      loader: { '.woff2': 'file' },
      plugins: [icons],
      tsconfig: join(ROOT, 'apps/web/tsconfig.json'),
      metafile: true,
      logLevel: 'warning',
    });
    await writePage(esbuild, work, metafile.outputs, entry);
    rmSync(SITE, { recursive: true, force: true });
    renameSync(work, SITE);
    // package-lock.json stands for the packages.
    const sources = Object.keys(metafile.inputs).filter((path) => !/^(?:lucide:|node_modules\/)/.test(path));
    return [...sources, PAGE];
  } catch (error) {
    writeFileSync(FAILED, '');
    throw error;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Writes the page, and all styles as one file: esbuild loads none with a script that comes later, and they are small. */
async function writePage(esbuild, folder, outputs, entry) {
  const files = Object.entries(outputs).map(([path, output]) => ({ name: basename(path), ...output }));
  const script = files.find(({ entryPoint, name }) => entryPoint === entry && name.endsWith('.js'));
  const first = basename(script.cssBundle);
  const others = files.map(({ name }) => name).filter((name) => name.endsWith('.css') && name !== first);
  const all = [first, ...others.sort()].map((name) => readFileSync(join(folder, name), 'utf8')).join('');
  // Each part repeats what it shares with others; once minified together, a rule is there once.
  const { code: styles } = await esbuild.transform(all, { loader: 'css', minify: true });
  for (const name of [first, ...others]) rmSync(join(folder, name));
  const style = `styles-${createHash('sha256').update(styles).digest('hex').slice(0, 8)}.css`;
  writeFileSync(join(folder, style), styles);
  const font = files.find(({ name }) => FONT_OF_TEXT.test(name)).name;
  const links = [
    `<link rel="preload" href="%ROOT%/ui/${font}" as="font" type="font/woff2" crossorigin />`,
    `<link rel="stylesheet" href="%ROOT%/ui/${style}" />`,
    `<script type="module" src="%ROOT%/ui/${script.name}"></script>`,
  ];
  const page = readFileSync(join(ROOT, PAGE), 'utf8').replace('%LINKS%', links.join('\n    '));
  writeFileSync(join(folder, 'index.html'), page);
}

/** For esbuild: `lucide:<name>` is the drawing of one icon of the set; a bundle of the whole set would be half a megabyte. */
const icons = {
  name: 'lucide',
  setup({ onResolve, onLoad }) {
    let set;
    onResolve({ filter: /^lucide:/ }, ({ path }) => ({
      path: path.slice('lucide:'.length),
      namespace: 'lucide',
    }));
    onLoad({ filter: /.*/, namespace: 'lucide' }, ({ path }) => {
      set ??= JSON.parse(readFileSync(join(ROOT, ICONS), 'utf8'));
      const icon = set.icons[set.aliases[path]?.parent ?? path];
      if (icon === undefined) return { errors: [{ text: `Lucide has no icon ${path}` }] };
      return { contents: icon.body, loader: 'text' };
    });
  },
};
