import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  allSteps,
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonOutput,
  type JsonValue,
} from '@stratalog/json';
import fc from 'fast-check';
import type { EntityRegistry } from '../model/entity-registry';
import { loadModel } from '../model/load-model';
import { parseAspectPatch } from './patch-aspect';

const URN = 'urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)';
const QUERY = 'urn:li:query:q';
const STAMP = { time: 7, actor: 'urn:li:corpuser:x' };
const field = (name: string) => `urn:li:schemaField:(${URN},${name})`;

let registry: EntityRegistry;
beforeAll(async () => {
  registry = await loadModel({ folders: [join(import.meta.dirname, '../../../../models')] });
});

/** The lineage after the patch, or the sentence of its rejection. */
function patchLineage(
  current: readonly JsonObject[] | undefined,
  patch: JsonOutput,
  { aspectName = 'upstreamLineage', rest = { upstreams: [] } } = {},
): JsonValue | undefined {
  const aspect = registry.aspect(aspectName);
  if (aspect === undefined) throw new Error(`there is no aspect ${aspectName}`);
  const read = allSteps(parseAspectPatch(registry, aspect, { urn: URN, value: stringifyJson(patch) }));
  if ('rejection' in read) return read.rejection;
  const stored =
    current === undefined ? undefined : stringifyJson({ ...rest, fineGrainedLineages: [...current] });
  const made = allSteps(read.patch(stored, STAMP));
  if ('rejection' in made) return made.rejection;
  return made.value === undefined ? undefined : (parseJson(made.value) as JsonObject).fineGrainedLineages;
}

const steps = (...keys: string[]) => `/fineGrainedLineages/${keys.join('/')}`;
const pathTo = (upstream: string, { operation = 'NONE', downstream = 'z', query = 'NONE' } = {}) =>
  steps(operation, field(downstream), query, field(upstream));
const add = (path: string, value: JsonOutput = { confidenceScore: 1 }) => ({ op: 'add', path, value });
const remove = (path: string) => ({ op: 'remove', path });
const element = (upstreams: readonly string[], more: JsonObject = {}): JsonObject => ({
  upstreamType: 'FIELD_SET',
  upstreams: upstreams.map(field),
  downstreamType: 'FIELD',
  downstreams: [field('z')],
  confidenceScore: 1,
  ...more,
});
const none = { transformOperation: 'NONE' };
/** A patch that converts the array and changes nothing. */
const RESTATED = [
  add(steps('SUM', field('none'), 'NONE', field('a'))),
  remove(steps('SUM', field('none'), 'NONE', field('a'))),
];

describe('a patch of the lineage between columns', () => {
  it.each(['upstreamLineage', 'dataJobInputOutput'])(
    'writes the operation of the key into the element, NONE too, of %s',
    (aspectName) => {
      expect(patchLineage(undefined, [add(pathTo('a'))], { aspectName })).toEqual([element(['a'], none)]);
      expect(patchLineage(undefined, [add(pathTo('a', { operation: 'SUM' }))], { aspectName })).toEqual([
        element(['a'], { transformOperation: 'SUM' }),
      ]);
    },
  );

  it('unites the upstreams of one downstream and operation, with the lowest score', () => {
    const current = [element(['a', 'b'], { confidenceScore: 0.9 })];
    expect(patchLineage(current, [add(pathTo('c'), { confidenceScore: 0.5 })])).toEqual([
      element(['a', 'b', 'c'], { ...none, confidenceScore: 0.5 }),
    ]);
    expect(patchLineage(current, [add(pathTo('c'))])).toEqual([
      element(['a', 'b', 'c'], { ...none, confidenceScore: 0.9 }),
    ]);
  });

  it('unites several stored elements of one key', () => {
    const current = [
      element(['a'], { confidenceScore: 0.3 }),
      element(['x'], { downstreams: [field('y')] }),
      element(['b'], none),
    ];
    expect(patchLineage(current, [add(pathTo('c'))])).toEqual([
      element(['a', 'b', 'c'], { ...none, confidenceScore: 0.3 }),
      element(['x'], { ...none, downstreams: [field('y')] }),
    ]);
  });

  it('keeps queries and operations apart', () => {
    const current = [element(['a'], { transformOperation: 'SUM' }), element(['a'], { query: QUERY })];
    expect(patchLineage(current, [add(pathTo('b', { query: QUERY }))])).toEqual([
      element(['a'], { transformOperation: 'SUM' }),
      element(['a', 'b'], { ...none, query: QUERY }),
    ]);
  });

  it('removes upstreams, and an element with its last upstream', () => {
    const current = [element(['a', 'b'], { transformOperation: 'SUM' })];
    const removed = (name: string) => remove(pathTo(name, { operation: 'SUM' }));
    expect(patchLineage(current, [removed('a')])).toEqual([element(['b'], { transformOperation: 'SUM' })]);
    expect(patchLineage(current, [removed('a'), removed('b')])).toEqual([]);
    expect(patchLineage(current, [removed('c')])).toEqual(current);
  });

  it('changes the members of one upstream alone', () => {
    const current = [element(['a', 'b'])];
    const lower = add(`${pathTo('a')}/confidenceScore`, 0.2);
    expect(patchLineage(current, [lower, remove(pathTo('a'))])).toEqual([element(['b'], none)]);
  });

  it('keeps types and further members of the elements, the last ones where they differ', () => {
    const dataset = { upstreamType: 'DATASET', matchType: 'EXACT' };
    const upstream = 'urn:li:dataset:(urn:li:dataPlatform:hive,b,PROD)';
    const current = [{ ...element([], dataset), upstreams: [upstream] }];
    const path = steps('NONE', field('z'), 'NONE', 'urn:li:dataset:(urn:li:dataPlatform:hive,c,PROD)');
    expect(patchLineage(current, [add(path)])).toMatchObject([{ ...dataset, ...none }]);
    expect(patchLineage(current, [add(path, { upstreamType: 'FIELD_SET' })])).toMatchObject([
      { matchType: 'EXACT', upstreamType: 'FIELD_SET' },
    ]);
  });

  it('keeps elements without upstreams or downstreams, and splits those with several downstreams', () => {
    const current = [
      { upstreamType: 'NONE', downstreamType: 'FIELD', downstreams: [field('y')] },
      { upstreamType: 'FIELD_SET', upstreams: [field('a')], downstreamType: 'FIELD' },
      element(['a'], { downstreams: [field('v'), field('w')] }),
    ];
    expect(patchLineage(current, RESTATED)).toEqual([
      { ...current[0], ...none, confidenceScore: 1 },
      { ...current[1], ...none, confidenceScore: 1 },
      element(['a'], { ...none, downstreams: [field('v')] }),
      element(['a'], { ...none, downstreams: [field('w')] }),
    ]);
  });

  it('copies and moves levels as objects', () => {
    const current = [element(['a', 'b'], { confidenceScore: 0.5 })];
    const from = steps('NONE', field('z'));
    const path = steps('SUM', field('z'));
    const moved = element(['a', 'b'], { transformOperation: 'SUM', confidenceScore: 0.5 });
    expect(patchLineage(current, [{ op: 'move', from, path }])).toEqual([moved]);
    expect(patchLineage(current, [{ op: 'copy', from, path }])).toEqual([
      { ...moved, transformOperation: 'NONE' },
      moved,
    ]);
  });

  it('leaves the array alone in a patch of other fields', () => {
    const current = [element(['a']), element(['b'])];
    const dataset = 'urn:li:dataset:(urn:li:dataPlatform:hive,b,PROD)';
    const upstream = { dataset, type: 'COPY', auditStamp: STAMP };
    expect(patchLineage(current, [add(`/upstreams/${dataset}`, upstream)])).toEqual(current);
  });

  it.each<[string, JsonOutput]>([
    [pathTo('a'), 0.5],
    [steps('NONE', field('z'), 'NONE'), 'x'],
    [steps('NONE', field('z')), []],
    [steps('NONE'), null],
  ])('rejects a level that is not an object: %s', (path, value) => {
    expect(patchLineage([element(['b'])], [add(path, value)])).toContain('each of them an object');
  });

  it('rejects a score that is not a number', () => {
    expect(patchLineage([], [add(pathTo('a'), { confidenceScore: 'high' })])).toContain(
      '/fineGrainedLineages/0/confidenceScore',
    );
  });

  const names = fc.constantFrom('a', 'b', 'c', 'd');
  const keys = fc.record({
    operation: fc.constantFrom('NONE', 'SUM'),
    downstream: fc.constantFrom('y', 'z'),
    query: fc.constantFrom('NONE', QUERY),
  });
  const scores = fc.constantFrom(0, 0.25, 0.5, 1);
  const adds = fc.array(fc.record({ key: keys, upstream: names, score: scores }), { maxLength: 12 });
  interface Addition {
    key: { operation: string; downstream: string; query: string };
    upstream: string;
    score: number;
  }
  const operationsFor = (made: readonly Addition[]) =>
    made.map(({ key, upstream, score }) => add(pathTo(upstream, key), { confidenceScore: score }));
  /** Score of each upstream by key; the last one wins. */
  const expected = (made: readonly Addition[]) => {
    const scoresByKey = new Map<string, Map<string, number>>();
    for (const { key, upstream, score } of made) {
      const text = [key.operation, key.downstream, key.query].join(' ');
      scoresByKey.set(text, (scoresByKey.get(text) ?? new Map<string, number>()).set(upstream, score));
    }
    return [...scoresByKey]
      .map(([key, byUpstream]) => [
        key,
        [...byUpstream.keys()].sort().map(field),
        Math.min(...byUpstream.values()),
      ])
      .sort();
  };
  const seen = (lineage: JsonValue | undefined) =>
    (lineage as { transformOperation: string; downstreams: string[]; query?: string; upstreams: string[] }[])
      .map(({ transformOperation, downstreams, query = 'NONE', upstreams, ...rest }) => [
        [transformOperation, /,([yz])\)$/.exec(downstreams.join())?.[1], query].join(' '),
        [...upstreams].sort(),
        (rest as { confidenceScore?: number }).confidenceScore,
      ])
      .sort();

  it('gives one element per key, for additions in any order', () => {
    fc.assert(
      fc.property(adds, (made) => {
        fc.pre(made.length > 0);
        expect(seen(patchLineage(undefined, operationsFor(made)))).toEqual(expected(made));
      }),
    );
  });

  it('a patch of the lineage between columns in two patches unites both additions, never above the lower score', () => {
    fc.assert(
      fc.property(adds, adds, (first, second) => {
        fc.pre(first.length > 0 && second.length > 0);
        const once = patchLineage(undefined, operationsFor(first)) as JsonObject[];
        const both = seen(patchLineage(once, operationsFor(second)));
        const apart = expected([...first, ...second]);
        expect(both.map(([key, upstreams]) => [key, upstreams])).toEqual(
          apart.map(([key, upstreams]) => [key, upstreams]),
        );
        both.forEach(([, , score], at) => {
          expect(score).toBeLessThanOrEqual(Number(apart[at]?.[2]));
        });
      }),
    );
  });

  it('repeated changes nothing', () => {
    fc.assert(
      fc.property(adds, adds, (first, second) => {
        fc.pre(first.length > 0 && second.length > 0);
        const before = patchLineage(undefined, operationsFor(first)) as JsonObject[];
        const once = patchLineage(before, operationsFor(second)) as JsonObject[];
        expect(patchLineage(once, RESTATED)).toEqual(once);
        const again = seen(patchLineage(once, operationsFor(second)));
        expect(again.map(([key, upstreams]) => [key, upstreams])).toEqual(
          seen(once).map(([key, upstreams]) => [key, upstreams]),
        );
      }),
    );
  });
});
