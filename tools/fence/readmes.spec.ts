import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');
const MIGRATIONS = 'libs/adapters/postgres/src/migrations';
/** Kinds of index versions: one migration makes the tables of each. */
const INDEX_KINDS = ['search', 'graph'];

const SOURCE_NAME = /\.m?[jt]s$/;

const tracked = (...patterns: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => existsSync(join(ROOT, file)));
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Source files without suites, what only suites use, and the lists of exports. */
const SOURCES = tracked('*.ts', '*.mjs').filter(
  (file) =>
    !/\.(?:spec|contract|fixture|row|d)\.ts$/.test(file) &&
    !file.includes('/testing/') &&
    basename(file) !== 'index.ts',
);
const SOURCE_ROOTS = [
  ...new Set(SOURCES.map((file) => /^(?:.*?\/src|tools\/bootstrap)(?=\/)/.exec(file)?.[0] ?? '')),
]
  .filter((folder) => folder !== '')
  .sort();

/** The README of a source root: its own or that of its project, or of the folder of projects, which puts a prefix before each room. */
function findReadme(sourceRoot: string): { readonly text: string; readonly prefix: string } | undefined {
  const project = dirname(sourceRoot);
  const candidates = [
    { path: join(sourceRoot, 'README.md'), prefix: '' },
    { path: join(project, 'README.md'), prefix: '' },
    { path: join(dirname(project), 'README.md'), prefix: `${basename(project)}/src/` },
  ];
  const found = candidates.find(({ path }) => existsSync(join(ROOT, path)));
  return found && { text: read(found.path), prefix: found.prefix };
}

const filesBelow = (sourceRoot: string): readonly string[] =>
  SOURCES.filter((file) => file.startsWith(`${sourceRoot}/`)).map((file) =>
    file.slice(sourceRoot.length + 1),
  );

/** The rooms of a source root: its top folders. */
function listRooms(sourceRoot: string): readonly string[] {
  const folders = filesBelow(sourceRoot).filter((file) => file.includes('/'));
  return [...new Set(folders.map((file) => file.slice(0, file.indexOf('/'))))];
}

const extractCode = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** The names in the first column of the tables whose heading begins with a word. */
function listTabled(readme: string, heading: string): readonly string[] {
  const tables = readme.match(/(?:^\|.*\n?)+/gm) ?? [];
  return tables
    .filter((table) => table.startsWith(`| ${heading}`))
    .flatMap((table) => table.split('\n').map((row) => row.split('|')[1] ?? ''))
    .flatMap(extractCode);
}

/** The names before the colon of the items of lists. */
const listItems = (readme: string): readonly string[] =>
  [...readme.matchAll(/^- (`[^:\n]*`[^:\n]*):/gm)].flatMap(([, names = '']) => extractCode(names));

/** The files that a README lists: in a table of files, or in a list that names more than one in its items. */
function listFiles(readme: string): readonly string[] {
  const items = listItems(readme).filter((name) => SOURCE_NAME.test(name) || name.endsWith('/'));
  const isListOfFiles = items.filter((name) => SOURCE_NAME.test(name)).length > 1;
  return [...listTabled(readme, 'file'), ...(isListOfFiles ? items : [])];
}

/** True when one of the names is that of a file, with or without its folder, or that of a folder around it. */
function isNamed(file: string, names: readonly string[]): boolean {
  return names.some((name) => {
    const path = name.replace(/^src\//, '');
    return SOURCE_NAME.test(path)
      ? file === path || basename(file) === path
      : file.startsWith(`${path.replace(/\/$/, '')}/`);
  });
}

describe('the README of a project', () => {
  it.each(SOURCE_ROOTS.filter((sourceRoot) => findReadme(sourceRoot) !== undefined))(
    'names every room of %s',
    (sourceRoot) => {
      const { text = '', prefix = '' } = findReadme(sourceRoot) ?? {};
      const named = (room: string): boolean => new RegExp(`\`(?:src/)?${prefix}${room}[/\`]`).test(text);
      expect(listRooms(sourceRoot).filter((room) => !named(room))).toEqual([]);
    },
  );

  it.each(SOURCE_ROOTS.filter((sourceRoot) => sourceRoot.startsWith('libs/')))(
    'exists for %s',
    (sourceRoot) => {
      if (listRooms(sourceRoot).length > 0) expect(findReadme(sourceRoot)).toBeDefined();
    },
  );

  it.each(
    SOURCE_ROOTS.map((sourceRoot) => ({
      sourceRoot,
      names: listFiles(findReadme(sourceRoot)?.text ?? ''),
    })).filter(({ names }) => names.length > 0),
  )('names every file of $sourceRoot in its list of files', ({ sourceRoot, names }) => {
    expect(filesBelow(sourceRoot).filter((file) => !isNamed(file, names))).toEqual([]);
  });
});

it('the README of the end-to-end suites names every room', () => {
  const suites = 'apps/standalone/e2e';
  const rooms = new Set(tracked(`${suites}/*.ts`).map((file) => file.slice(suites.length + 1).split('/')[0]));
  const names = listTabled(read(`${suites}/README.md`), 'room');
  expect([...rooms].sort()).toEqual([...names].sort());
});

it('the README of the PostgreSQL adapter names every table of the migrations', () => {
  const made = tracked(`${MIGRATIONS}/*.sql`).flatMap((file) =>
    [...read(file).matchAll(/^create (?:unlogged )?table ([\w<>]+) \(/gm)].map(([, table = '']) => table),
  );
  const tables = made.flatMap((table) => INDEX_KINDS.map((kind) => table.replace('<kind>', kind)));
  const names = new Set(listItems(read('libs/adapters/postgres/README.md')));
  expect(made.length).toBeGreaterThan(0);
  expect([...new Set(tables)].filter((table) => !names.has(table))).toEqual([]);
});
