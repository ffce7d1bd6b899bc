import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUNDLES, ROOT } from './workspace/workspace.mjs';

interface Project {
  readonly name: string;
  readonly data: { readonly root: string; readonly targets: Readonly<Record<string, { cache?: boolean }>> };
}

let folder: string;
let projects: readonly Project[];

/** Runs nx as a developer does, with caches of its own. */
function nx(...args: readonly string[]): string {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('NX_'));
  const run = spawnSync(process.execPath, [join(import.meta.dirname, 'nx.mjs'), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: {
      ...Object.fromEntries(own),
      NX_CACHE_DIRECTORY: join(folder, 'cache'),
      NX_WORKSPACE_DATA_DIRECTORY: join(folder, 'workspace'),
    },
  });
  expect(run).toMatchObject({ status: 0 });
  return run.stdout;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stratalog-nx-'));
  const file = join(folder, 'graph.json');
  nx('graph', `--file=${file}`);
  const { graph } = JSON.parse(readFileSync(file, 'utf8')) as { graph: { nodes: Record<string, Project> } };
  projects = Object.values(graph.nodes);
}, limitMs(60_000));

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('every project has the targets lint and test, whose results are cached', () => {
  const cached = { cache: true };
  for (const { name, data } of projects)
    expect({ name, ...data.targets }).toMatchObject({ name, lint: cached, test: cached });
});

test('every project with a bundle has the target build, and no other', () => {
  const built = projects.filter(({ data }) => 'build' in data.targets).map(({ data }) => data.root);
  const sources = Object.values(BUNDLES).map(([source]) => source ?? '');
  expect(sources.filter((source) => !built.some((root) => source.startsWith(`${root}/`)))).toEqual([]);
  expect(built.filter((root) => !sources.some((source) => source.startsWith(`${root}/`)))).toEqual([]);
});

test('every suite belongs to a project', () => {
  const suites = ['apps', 'bench', 'libs', 'tools'].flatMap((top) =>
    readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.spec.ts'))
      .map((path) => join(top, path)),
  );
  expect(suites.length).toBeGreaterThan(200);
  expect(suites.filter((suite) => !projects.some(({ data }) => suite.startsWith(`${data.root}/`)))).toEqual(
    [],
  );
});

test(
  'a change affects the projects that depend on it, and a change in a leaf only the leaf',
  () => {
    const affected = (path: string): readonly string[] =>
      JSON.parse(nx('show', 'projects', '--affected', `--files=${path}`, '--json')) as readonly string[];
    expect(affected('libs/domain/src/index.ts')).toEqual(
      expect.arrayContaining(['domain', 'ports', 'stages-query', 'standalone', 'cli', 'bench']),
    );
    // The fence reads every file.
    expect([...affected('bench/src/main.ts')].sort()).toEqual(['bench', 'fence']);
  },
  limitMs(60_000),
);

test(
  'a second run of a target reads its result from the cache',
  () => {
    expect(nx('test', 'admin')).not.toContain('from the cache');
    expect(nx('test', 'admin')).toContain('from the cache');
  },
  limitMs(60_000),
);
