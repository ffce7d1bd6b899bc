import { beforeAll, describe, expect, it } from '@jest/globals';
import { LINEAGE_DIRECTIONS, parentOfColumn, type LineageDirection } from '@stratalog/domain';
import { stringifyJson, type JsonObject } from '@stratalog/json';
import { NaiveGraph, toEdge } from '@stratalog/testkit';
import fc from 'fast-check';
import { dataset, user } from '../relationships/edge-forms';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';
import { readDegrees, readLineage } from '../testing/data/lineage';

const NAMES = ['a', 'b', 'c', 'd'] as const;
type Name = (typeof NAMES)[number];
const RUNS = 12;
const column = (table: string): string => `urn:li:schemaField:(${dataset(table)},x)`;

/** A version of an aspect of the naive history; absent values are deletions. */
interface NaiveVersion {
  readonly name: Name;
  readonly aspectName: 'upstreamLineage' | 'status';
  readonly upstreams?: readonly Name[];
  readonly removed?: boolean;
  readonly timeMs: number;
}

/** The latest versions at a time, by dataset. */
class NaiveState {
  private readonly upstreams = new Map<Name, readonly Name[]>();
  private readonly softDeleted = new Set<Name>();

  constructor(versions: readonly NaiveVersion[], timeMs: number) {
    for (const version of versions.filter((each) => each.timeMs <= timeMs)) {
      if (version.aspectName === 'upstreamLineage') this.upstreams.set(version.name, version.upstreams ?? []);
      else if (version.removed === true) this.softDeleted.add(version.name);
      else this.softDeleted.delete(version.name);
    }
  }

  /** The edges between visible datasets and the start, as `<upstream> <downstream>`. */
  visible(start: Name): readonly (readonly [Name, Name])[] {
    const isVisible = (name: Name): boolean => name === start || !this.softDeleted.has(name);
    return [...this.upstreams]
      .filter(([name]) => isVisible(name))
      .flatMap(([name, all]) => all.filter(isVisible).map((upstream) => [upstream, name] as const));
  }

  degrees(start: Name, direction: LineageDirection, toUrn: (name: Name) => string): readonly string[] {
    const graph = new NaiveGraph();
    const edges = this.visible(start).map(([upstream, name]) =>
      toEdge(toUrn(name), 'DownstreamOf', toUrn(upstream), { isLineage: true }),
    );
    graph.write([{ urn: toUrn(start), seq: 1, sets: [{ aspectName: 'upstreamLineage', edges }] }]);
    const level = parentOfColumn(toUrn(start)) === undefined ? 'ENTITY' : 'COLUMN';
    const degrees = graph.degrees(toUrn(start), { direction, level }, NAMES.length);
    return [...degrees].map(([urn, degree]) => `${String(degree)} ${urn}`).sort();
  }
}

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ name: fc.constantFrom(...NAMES), upstreams: fc.subarray([...NAMES]) }),
  },
  { weight: 1, arbitrary: fc.record({ name: fc.constantFrom(...NAMES), deleted: fc.constant(true) }) },
  { weight: 2, arbitrary: fc.record({ name: fc.constantFrom(...NAMES), removed: fc.boolean() }) },
);

const joinMembers = (members: JsonObject, ...names: readonly string[]): string =>
  names.map((name) => members[name] as string).join(' ');

describe('lineage of the past', () => {
  const catalog = catalogForSuite();
  const removeAspect = async (urn: string, aspectName: string): Promise<void> => {
    const members = { changeType: 'DELETE', aspect: undefined };
    expect((await catalog.http.ingest({ urn, aspectName, value: '', members })).status).toBe(200);
  };
  /** The time of the last change of an entity; absent when it has none. */
  const lastChangeMs = async (urn: string): Promise<number | undefined> => {
    const { json } = await catalog.http.get(`/entitiesV2/${encodeURIComponent(urn)}/timeline?count=1`);
    const [change] = at(json, 'changes') as JsonObject[];
    return change?.time as number | undefined;
  };
  const diff = async (urn: string, query: string, waitFor?: string): Promise<JsonObject> => {
    const headers = waitFor === undefined ? {} : { 'X-Stratalog-Wait-For': waitFor };
    const { status, json, body } = await catalog.http.get(
      `/lineage/${encodeURIComponent(urn)}/diff?${query}`,
      headers,
    );
    if (status !== 200) throw new Error(body);
    return json as JsonObject;
  };
  const toLineage = (name: string, upstreams: readonly string[]) => ({
    upstreams: upstreams.map((each) => ({ dataset: dataset(each), type: 'TRANSFORMED' })),
    fineGrainedLineages: upstreams.map((each) => ({
      upstreamType: 'FIELD_SET',
      downstreamType: 'FIELD',
      upstreams: [column(each)],
      downstreams: [column(name)],
    })),
  });

  describe('of random writes', () => {
    it('equals that of a naive history at every time, and so do comparisons', async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 2, maxLength: 9 }),
          fc.constantFrom(...NAMES),
          async (steps, start) => {
            const prefix = `r${String(run++)}.`;
            const versions: NaiveVersion[] = [];
            for (const each of steps) {
              const urn = dataset(prefix + each.name);
              const written = await write(prefix, each);
              const timeMs = await lastChangeMs(urn);
              if (timeMs !== undefined) versions.push({ ...written, timeMs });
            }
            const waitFor = await catalog.http.write(dataset(`${prefix}last`), 'status', { removed: false });
            const times = [...new Set(versions.map(({ timeMs }) => timeMs))].sort((a, b) => a - b);
            for (const timeMs of times) {
              const state = new NaiveState(versions, timeMs);
              for (const direction of LINEAGE_DIRECTIONS) {
                for (const toUrn of [dataset, column].map((make) => (name: string) => make(prefix + name))) {
                  const query = { urn: toUrn(start), direction, maxHops: NAMES.length, asOf: timeMs };
                  expect((await readDegrees(catalog.http, query, waitFor)).toSorted()).toEqual(
                    state.degrees(start, direction, toUrn),
                  );
                }
              }
            }
            const [from, to] = [times.at(0), times.at(-1)];
            if (from === undefined || to === undefined) return;
            await compareWithNaive(prefix, start, versions, { from, to });
          },
        ),
        { numRuns: RUNS },
      );
    });

    const write = async (
      prefix: string,
      { name, ...change }: { name: Name; upstreams?: readonly Name[]; removed?: boolean },
    ): Promise<Omit<NaiveVersion, 'timeMs'>> => {
      const urn = dataset(prefix + name);
      if (change.removed !== undefined) {
        await catalog.http.write(urn, 'status', { removed: change.removed });
        return { name, aspectName: 'status', removed: change.removed };
      }
      const aspectName = 'upstreamLineage';
      if (change.upstreams === undefined) await removeAspect(urn, aspectName);
      else {
        const upstreams = change.upstreams.map((each) => prefix + each);
        await catalog.http.write(urn, aspectName, toLineage(prefix + name, upstreams));
      }
      return { name, aspectName, ...change };
    };

    const compareWithNaive = async (
      prefix: string,
      start: Name,
      versions: readonly NaiveVersion[],
      { from, to }: { readonly from: number; readonly to: number },
    ): Promise<void> => {
      const [before, after] = [from, to].map((timeMs) => new NaiveState(versions, timeMs)) as [
        NaiveState,
        NaiveState,
      ];
      const toUrn = (name: string) => dataset(prefix + name);
      for (const direction of LINEAGE_DIRECTIONS) {
        const answer = await diff(
          toUrn(start),
          `from=${String(from)}&to=${String(to)}&direction=${direction}&columns=true`,
        );
        const reached = [before, after].map((state) => new Set(state.degrees(start, direction, toUrn)));
        const urns = reached.map((texts) => new Set([...texts].map((text) => text.split(' ')[1])));
        const expected = ['removed', 'added'].flatMap((change, at) =>
          [...(urns[at] ?? [])]
            .filter((urn) => urns[1 - at]?.has(urn) !== true)
            .map((urn) => `${change} ${String(urn)}`),
        );
        const changes = at(answer, 'entities', 'changes') as JsonObject[];
        expect(changes.map((each) => joinMembers(each, 'change', 'entity')).sort()).toEqual(expected.sort());
        const edges = ['removed', 'added'].flatMap((change, at) => {
          const [own, other] = at === 0 ? [before, after] : [after, before];
          const ends = (state: NaiveState) =>
            state.visible(start).map(([upstream, name]) => `${toUrn(upstream)} ${toUrn(name)}`);
          const isReached = (edge: string): boolean =>
            edge.split(' ').every((urn) => urn === toUrn(start) || urns[at]?.has(urn) === true);
          return ends(own)
            .filter((edge) => isReached(edge) && !ends(other).includes(edge))
            .map((edge) => `${change} ${edge}`);
        });
        const told = at(answer, 'edges', 'changes') as JsonObject[];
        expect(told.map((each) => joinMembers(each, 'change', 'upstream', 'downstream')).sort()).toEqual(
          [...new Set(edges)].sort(),
        );
        for (const { changedBy } of told) {
          expect(at(changedBy ?? null, 'time')).toBeGreaterThan(from);
          expect(at(changedBy ?? null, 'time')).toBeLessThanOrEqual(to);
        }
        expect(at(answer, 'columnEdges', 'added')).toBe(at(answer, 'edges', 'added'));
        expect(at(answer, 'columnEdges', 'removed')).toBe(at(answer, 'edges', 'removed'));
      }
    };
  });

  describe('of a known history', () => {
    const JOB = 'urn:li:dataJob:(urn:li:dataFlow:(airflow,past,prod),load)';
    const gone = dataset('gone');
    let waitFor: string;
    let began: number;
    let changed: number;
    const get = async (target: string) => catalog.http.get(target, { 'X-Stratalog-Wait-For': waitFor });
    const path = (urn: string, rest: string): string => `/lineage/${encodeURIComponent(urn)}${rest}`;

    beforeAll(async () => {
      const { http } = catalog;
      await http.write(dataset('p'), 'upstreamLineage', toLineage('p', ['o']));
      await http.write(gone, 'upstreamLineage', toLineage('gone', ['p']));
      await http.write(dataset('q'), 'upstreamLineage', toLineage('q', ['p']));
      began = (await lastChangeMs(dataset('q'))) ?? 0;
      await http.write(dataset('p'), 'upstreamLineage', toLineage('p', ['n']));
      await http.write(dataset('p'), 'upstreamLineage', toLineage('p', ['n', 'm']));
      await http.write(JOB, 'dataJobInputOutput', {
        inputDatasets: [dataset('q')],
        outputDatasets: [dataset('out')],
      });
      waitFor = await http.write(dataset('last'), 'status', { removed: false });
      changed = (await lastChangeMs(JOB)) ?? 0;
      await http.caughtUp();
    });

    it('is answered by impact, pictures and batches', async () => {
      const then = `asOf=${String(began)}`;
      const impact = await get(path(dataset('o'), `/impact?${then}`));
      expect(impact.json).toMatchObject({ asOf: began, entities: 3, columns: 3, byDegree: { 1: 1, 2: 2 } });
      expect((await get(path(dataset('o'), '/impact'))).json).toMatchObject({ entities: 0 });
      const picture = await get(path(dataset('p'), `.json?columns=true&${then}`));
      const nodes = (at(picture.json, 'nodes') as JsonObject[]).map(({ urn, degree }) => [urn, degree]);
      expect(nodes).toEqual([
        [dataset('p'), 0],
        [dataset('o'), -1],
        [gone, 1],
        [dataset('q'), 1],
      ]);
      const body = stringifyJson({
        urns: [dataset('p')],
        direction: 'UPSTREAM',
        asOf: new Date(began).toISOString(),
      });
      const batch = await catalog.http.post('/relationships?action=batchGetLineage', body);
      expect(at(batch.json, 'value', 'results', dataset('p'))).toMatchObject({
        asOf: began,
        total: 1,
        relationships: [{ entity: dataset('o'), type: 'DownstreamOf', degree: 1 }],
      });
    });

    it('is compared with the present, with the change that did it', async () => {
      const answer = await diff(dataset('p'), `from=${String(began)}&maxHops=3`, waitFor);
      const change = (kind: string, direction: string, entity: string, degree: number) => ({
        change: kind,
        direction,
        entity,
        degree,
      });
      expect(answer).toMatchObject({
        urn: dataset('p'),
        from: began,
        entities: {
          added: 4,
          removed: 1,
          changes: [
            change('added', 'UPSTREAM', dataset('m'), 1),
            change('added', 'UPSTREAM', dataset('n'), 1),
            change('removed', 'UPSTREAM', dataset('o'), 1),
            { ...change('added', 'DOWNSTREAM', JOB, 2), path: [dataset('p'), dataset('q'), JOB] },
            change('added', 'DOWNSTREAM', dataset('out'), 3),
          ],
        },
      });
      const edges = at(answer, 'edges', 'changes') as JsonObject[];
      const by = (entity: string, aspectName: string, version: number) => ({
        changedBy: { entity, aspectName, version, actor: user('unknown') },
      });
      const lineage = (version: number) => by(dataset('p'), 'upstreamLineage', version);
      const job = by(JOB, 'dataJobInputOutput', 1);
      expect(edges).toMatchObject([
        { change: 'added', upstream: JOB, downstream: dataset('out'), type: 'Produces', ...job },
        { change: 'added', upstream: dataset('m'), downstream: dataset('p'), ...lineage(3) },
        { change: 'added', upstream: dataset('n'), downstream: dataset('p'), ...lineage(2) },
        { change: 'removed', upstream: dataset('o'), downstream: dataset('p'), ...lineage(2) },
        { change: 'added', upstream: dataset('q'), downstream: JOB, type: 'Consumes', ...job },
      ]);
      expect(await diff(dataset('p'), `from=${String(began)}&count=1`)).toMatchObject({
        entities: { added: 4, changes: { length: 1 } },
        edges: { added: 4, changes: { length: 1 } },
      });
      const none = { added: 0, removed: 0, changes: [] };
      const now = String(changed);
      expect(await diff(dataset('p'), `from=${now}&to=${now}&columns=true`)).toMatchObject({
        entities: none,
        edges: none,
        columns: none,
        columnEdges: none,
      });
      // Without times: since the beginning of this young store, in which nothing preceded.
      expect(await diff(dataset('p'), '')).toMatchObject({ entities: { removed: 0 } });
    });

    it('says what retention or a deletion purged', async () => {
      const before = { urn: dataset('p'), direction: 'DOWNSTREAM', asOf: began };
      expect(await readLineage(catalog.http, before)).not.toHaveProperty('purged');
      const deleted = await catalog.http.post('/entities?action=delete', stringifyJson({ urn: gone }));
      waitFor = deleted.headers['x-stratalog-position'] ?? waitFor;
      const answer = await readLineage(catalog.http, before, waitFor);
      expect(answer).toMatchObject({ total: 1, purged: { total: 1, entities: [gone] } });
      expect(await diff(dataset('p'), `from=${String(began)}`)).toMatchObject({
        purged: { total: 1, entities: [gone] },
      });
    });

    it('rejects times that the history does not reach', async () => {
      const future = String(Date.now() + 3_600_000);
      for (const [target, reason] of [
        [
          path(dataset('p'), '/impact?asOf=2001-01-01'),
          /'asOf' is 2001-01-01T.*; the history of the store begins at 20/,
        ],
        [path(dataset('p'), `.svg?asOf=${future}`), /'asOf' is .*, in the future: it is/],
        [path(dataset('p'), '/impact?asOf=yesterday'), /asOf.*a time like/],
        [
          path(dataset('p'), '/diff?from=2001-01-01'),
          /'from' is 2001-01-01T.*; the history of the store begins/,
        ],
        [path(dataset('p'), `/diff?from=${future}`), /'from' is .* in the future/],
        [path(dataset('p'), `/diff?to=${future}`), /'to' is .* in the future/],
        [
          path(dataset('p'), `/diff?from=${String(changed)}&to=${String(began)}`),
          /'from' is later than 'to'/,
        ],
        [path(dataset('p'), '/diff?count=1001'), /count/],
        [path('urn:li:tag:pii', '/diff'), /has no lineage/],
      ] as const) {
        const { status, json } = await get(target);
        expect([target, status, at(json, 'message')]).toEqual([target, 400, expect.stringMatching(reason)]);
      }
    });
  });
});
