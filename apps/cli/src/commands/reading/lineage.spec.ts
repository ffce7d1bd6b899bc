import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonOutputObject } from '@stratalog/json';
import { ScriptedCatalog } from '../../testing/scripted-catalog';

let catalog: ScriptedCatalog;

beforeEach(async () => {
  catalog = await ScriptedCatalog.start();
});

afterEach(async () => {
  await catalog.stop();
});

describe('lineage', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => `urn:li:x:${name}`) as [
    string,
    string,
    string,
    string,
  ];
  const hop = (path: readonly string[], more = {}) => ({
    entity: path.at(-1),
    type: 'DownstreamOf',
    path,
    ...more,
  });

  it('prints each entity below the one that leads to it, and what is missing', async () => {
    const asked: unknown[] = [];
    catalog.reply = (_request, body) => {
      asked.push(JSON.parse(body));
      const relationships = [hop([a, b]), hop([a, c], { via: 'urn:li:query:q' }), hop([a, b, d])];
      return { status: 200, body: { value: { relationships, total: 5, filtered: 2, continueAt: [d] } } };
    };
    const { exit, out, err } = await catalog.run(['lineage', a, '--downstream', '--depth', '2', '--columns']);
    expect([exit, out.split('\n').map((line) => line.trimEnd())]).toEqual([
      0,
      [
        a,
        `  ${b}    DownstreamOf`,
        `    ${d}  DownstreamOf`,
        `  ${c}    DownstreamOf  via urn:li:query:q`,
        '… and 2 more',
        '',
      ],
    ]);
    expect(err).toBe(
      `2 left out as soft-deleted, or only reached through such; --deleted shows them\nlimits cut the lineage; continue at ${d}\n`,
    );
    expect(asked).toEqual([{ urn: a, direction: 'DOWNSTREAM', maxHops: 2, count: 1_000, level: 'COLUMN' }]);
  });

  it('draws lineage into a file', async () => {
    const asked: (string | undefined)[] = [];
    catalog.reply = ({ url }) => {
      asked.push(url);
      return { status: 200, body: '<svg/>' };
    };
    const file = join(catalog.folder, 'a.svg');
    const { exit, out, err } = await catalog.run(['lineage', a, '--svg', file, '--columns', '--count', '20']);
    expect([exit, out, err, JSON.parse(readFileSync(file, 'utf8'))]).toEqual([
      0,
      '',
      `wrote ${file}\n`,
      '<svg/>',
    ]);
    await catalog.run(['lineage', a, '--svg', file, '--upstream', '--depth', '5', '--deleted']);
    expect(asked).toEqual([
      `/lineage/${encodeURIComponent(a)}.svg?maxHops=3&maxNodes=20&columns=true`,
      `/lineage/${encodeURIComponent(a)}.svg?maxHops=5&direction=UPSTREAM&includeSoftDeleted=true`,
    ]);
    expect(await catalog.run(['lineage', a, '--svg', join(catalog.folder, 'no', 'such')])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('cannot write'),
    });
    expect(await catalog.run(['lineage', a, '--svg', file, '--json'])).toMatchObject({ exit: 2 });
  });

  it('prints lineage as of a time, with what was purged of it', async () => {
    const asked: unknown[] = [];
    catalog.reply = (_request, body) => {
      asked.push(JSON.parse(body));
      return {
        status: 200,
        body: { value: { relationships: [hop([a, b])], total: 1, purged: { total: 2, entities: [c, d] } } },
      };
    };
    const { exit, err } = await catalog.run(['lineage', a, '--as-of', '2026-11-22']);
    expect([exit, err]).toEqual([0, 'retention purged the lineage of 2 entities at that time\n']);
    expect(asked).toEqual([
      { urn: a, direction: 'UPSTREAM', maxHops: 3, count: 1_000, asOf: Date.UTC(2026, 10, 22) },
    ]);
    expect(await catalog.run(['lineage', a, '--as-of', 'once'])).toMatchObject({ exit: 2 });
  });

  it('prints what came and went between two times', async () => {
    const asked: (string | undefined)[] = [];
    const changedBy = {
      entity: b,
      aspectName: 'upstreamLineage',
      version: 2,
      time: Date.UTC(2026, 10, 3),
      actor: 'urn:li:corpuser:ada',
    };
    const none = { added: 0, removed: 0, changes: [] };
    let body: JsonOutputObject = {
      entities: {
        added: 1,
        removed: 1,
        changes: [
          { change: 'removed', direction: 'UPSTREAM', entity: c, degree: 1 },
          { change: 'added', direction: 'UPSTREAM', entity: d, degree: 2 },
        ],
      },
      edges: {
        added: 3,
        removed: 0,
        changes: [{ change: 'added', upstream: a, downstream: b, type: 'DownstreamOf', changedBy }],
      },
      columns: none,
      columnEdges: none,
      partial: true,
    };
    catalog.reply = ({ url }) => {
      asked.push(url);
      return { status: 200, body };
    };
    const compare = (...more: readonly string[]) => catalog.run(['lineage', a, '--diff', ...more]);
    const { exit, out, err } = await compare('2026-11-01..2026-11-08', '--columns', '--upstream');
    expect([exit, out.split('\n').map((line) => line.trimEnd()), err]).toEqual([
      0,
      [
        'entities: 1 added, 1 removed',
        `-  ${c}  upstream  1 hop`,
        `+  ${d}  upstream  2 hops`,
        '',
        'edges: 3 added, 0 removed',
        `+  ${a} -> ${b}  DownstreamOf  upstreamLineage version 2 2026-11-03T00:00:00.000Z urn:li:corpuser:ada`,
        '…  and 2 more',
        '',
      ],
      'limits cut the lineage; there may be more changes\n',
    ]);
    body = { entities: none, edges: none };
    expect(await compare('2026-11-01')).toEqual({
      exit: 0,
      out: '',
      err: `${a} has the same lineage at both times\n`,
    });
    const [from, to] = [Date.UTC(2026, 10, 1), Date.UTC(2026, 10, 8)];
    expect(asked).toEqual([
      `/lineage/${encodeURIComponent(a)}/diff?from=${from}&to=${to}&maxHops=3&count=1000&direction=UPSTREAM&columns=true`,
      `/lineage/${encodeURIComponent(a)}/diff?from=${from}&maxHops=3&count=1000`,
    ]);
    expect(await compare('2026-11-01..then')).toMatchObject({ exit: 2 });
    expect(await compare('2026-11-01', '--as-of', '2026-11-01')).toMatchObject({ exit: 2 });
  });

  it('reports no lineage and exits with 1, and rejects both directions at once', async () => {
    catalog.reply = () => ({ status: 200, body: { value: { relationships: [], total: 0 } } });
    expect(await catalog.run(['lineage', a])).toEqual({
      exit: 1,
      out: '',
      err: `${a} has no upstream lineage\n`,
    });
    expect(await catalog.run(['lineage', a, '--upstream', '--downstream'])).toMatchObject({ exit: 2 });
  });
});
