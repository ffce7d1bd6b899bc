import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../..');
/** Beyond these numbers of files a folder is divided by subject: without specs, and with them. */
const MAX_SOURCES = 18;
const MAX_FILES = 25;

const FILES = execFileSync('git', ['ls-files', '*.ts', '*.mts', '*.mjs', '*.js'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((file) => existsSync(join(ROOT, file)));
const SOURCES = FILES.filter((file) => !file.endsWith('.spec.ts'));
/** The scripts of `tools/bootstrap` lie at its top, where `package.json` names them; their rooms lie below. */
const SOURCE_ROOTS = [
  ...new Set(FILES.map((file) => /^(?:.*?\/(?:src|e2e)|tools\/bootstrap)(?=\/)/.exec(file)?.[0] ?? '')),
].filter((folder) => folder !== '');

/** The rooms, the top folders of a library's source, each with the rooms that it imports from. */
function importsByRoom(sourceRoot: string): ReadonlyMap<string, ReadonlySet<string>> {
  const rooms = new Map<string, Set<string>>();
  for (const file of SOURCES.filter((each) => each.startsWith(`${sourceRoot}/`))) {
    const from = roomOf(sourceRoot, file);
    if (from === undefined) continue;
    const { importedFiles } = ts.preProcessFile(readFileSync(join(ROOT, file), 'utf8'));
    for (const { fileName } of importedFiles.filter((imported) => imported.fileName.startsWith('.'))) {
      const to = roomOf(sourceRoot, normalize(join(dirname(file), fileName)));
      if (to !== undefined && to !== from) rooms.set(from, (rooms.get(from) ?? new Set()).add(to));
    }
  }
  return rooms;
}

function roomOf(sourceRoot: string, file: string): string | undefined {
  const [room, ...rest] = file.startsWith(`${sourceRoot}/`)
    ? file.slice(sourceRoot.length + 1).split('/')
    : [];
  return rest.length === 0 ? undefined : room;
}

/** A path from a room back to itself, if there is any. */
function findCycle(rooms: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | undefined {
  const finished = new Set<string>();
  const visit = (room: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(room)) return [...path.slice(path.indexOf(room)), room];
    if (finished.has(room)) return undefined;
    for (const next of rooms.get(room) ?? []) {
      const cycle = visit(next, [...path, room]);
      if (cycle !== undefined) return cycle;
    }
    finished.add(room);
    return undefined;
  };
  for (const room of rooms.keys()) {
    const cycle = visit(room, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

describe('the folders of a library', () => {
  it('finds a cycle where there is one', () => {
    const rooms = new Map([
      ['a', new Set(['b'])],
      ['b', new Set(['c'])],
      ['c', new Set(['b'])],
    ]);
    expect(findCycle(rooms)).toEqual(['b', 'c', 'b']);
  });

  it.each(SOURCE_ROOTS)('do not import each other in a circle: %s', (sourceRoot) => {
    expect(findCycle(importsByRoom(sourceRoot))).toBeUndefined();
  });

  it.each([
    { files: SOURCES, most: MAX_SOURCES, kind: 'source files' },
    { files: FILES, most: MAX_FILES, kind: 'source files and specs' },
  ])('hold at most $most $kind each', ({ files, most }) => {
    const counts = new Map<string, number>();
    for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > most)).toEqual([]);
  });
});
