import { beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const BUNDLES = ['apps/graph/main', 'apps/proxy/main'];
const read = (file: string): string => readFileSync(join(ROOT, 'dist', file), 'utf8');

beforeAll(() => {
  const script = join(ROOT, 'tools/bootstrap/build.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, ...BUNDLES], { encoding: 'utf8' });
  expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
}, limitMs(60_000));

describe('The bundle of an app', () => {
  it.each([
    ['apps/graph/main', ['graph']],
    ['apps/proxy/main', []],
  ])('%s holds the code of its own stages alone', (name, own) => {
    const { sources } = JSON.parse(read(`${name}.js.map`)) as { readonly sources: readonly string[] };
    const stages = sources.map((source) => /libs\/stages\/([^/]+)\//.exec(source)?.[1]);
    expect([...new Set(stages.filter((stage) => stage !== undefined))]).toEqual(own);
  });

  it.each(BUNDLES)('%s names the routes of all apps', (name) => {
    expect(read(`${name}.js`)).toMatch(/"action": "searchAcrossEntities"/);
  });

  it.each(BUNDLES)('%s is built again when a route of any app changes', (name) => {
    const { inputs } = JSON.parse(read(`${name}.stamp.json`)) as { readonly inputs: readonly string[] };
    expect(inputs).toContain('libs/stages/query/src/search/search.routes.ts');
  });
});
