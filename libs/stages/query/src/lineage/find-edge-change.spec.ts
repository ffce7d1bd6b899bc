import { describe, expect, it } from '@jest/globals';
import type { EdgeOwner } from '@stratalog/domain';
import { stringifyJson } from '@stratalog/json';
import type { ChangePage, ChangeWindow, PastChange } from '@stratalog/ports';
import { loadModel } from '@stratalog/registry';
import { join } from 'node:path';
import { EdgeChanges, nameStep } from './find-edge-change';

const registry = await loadModel({ folders: [join(import.meta.dirname, '../../../../../models')] });
const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const OWNER: EdgeOwner = { owner: dataset('a'), aspectName: 'upstreamLineage' };
const stamp = { time: 5, actor: 'urn:li:corpuser:tester' };
const lineage = (...upstreams: readonly string[]): string =>
  stringifyJson({
    upstreams: upstreams.map((each) => ({ auditStamp: stamp, dataset: dataset(each), type: 'TRANSFORMED' })),
  });
const change = (version: number, value: string, previous: string): PastChange => ({
  aspectName: OWNER.aspectName,
  version,
  seq: version,
  kind: 'upsert',
  value,
  created: stamp,
  systemMetadata: {},
  previous: { kind: 'upsert', value: previous },
});
const toEnds = (upstream: string): string =>
  nameStep({ near: dataset('a'), far: dataset(upstream) }, 'UPSTREAM');

describe('EdgeChanges', () => {
  const open = (page: ChangePage) => {
    const windows: ChangeWindow[] = [];
    const listChanges = (window: ChangeWindow) => {
      windows.push(window);
      return Promise.resolve({ ...page, changes: page.changes.slice(0, window.limit) });
    };
    const changes = new EdgeChanges({ registry, history: { listChanges } }, { fromMs: 1, toMs: 9 });
    return { windows, changes };
  };

  it('finds for each edge the last change that added or removed it, without its value', async () => {
    const page = [
      change(4, lineage('b', 'c'), lineage('b')),
      change(3, lineage('b'), lineage('b', 'd')),
      change(2, lineage('b', 'd'), lineage('d')),
    ];
    const { changes } = open({ changes: page, hasMore: false });
    const aspect = await changes.read(OWNER);
    expect(await aspect.find(toEnds('c'), 'added')).toEqual({ ...OWNER, version: 4, created: stamp });
    expect(await aspect.find(toEnds('d'), 'removed')).toEqual({ ...OWNER, version: 3, created: stamp });
    expect(await aspect.find(toEnds('b'), 'added')).toEqual({ ...OWNER, version: 2, created: stamp });
  });

  it('takes the only change, but not the only one of a page that has more', async () => {
    const only = change(7, lineage('b'), lineage('b'));
    const find = async (hasMore: boolean) =>
      (await open({ changes: [only], hasMore }).changes.read(OWNER)).find(toEnds('c'), 'removed');
    expect(await find(false)).toMatchObject({ version: 7 });
    expect(await find(true)).toBeUndefined();
  });

  it('reads the last change once, and alone', async () => {
    const { changes, windows } = open({
      changes: [change(4, '{}', '{}'), change(3, '{}', '{}')],
      hasMore: false,
    });
    const status = { owner: dataset('a'), aspectName: 'status' };
    for (let n = 0; n < 3; n++) expect(await changes.findLast(status)).toMatchObject({ version: 4 });
    expect(windows).toMatchObject([{ urn: dataset('a'), aspectNames: ['status'], limit: 1 }]);
  });
});
