import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Edge, LineageDirection, LineageHopRequest } from '@stratalog/domain';
import { parseJson, stringifyJson } from '@stratalog/json';
import type { AspectHistory, AspectRef, PastVersion } from '@stratalog/ports';
import type { LineageGraph } from '../walk-lineage';
import { openPast } from './open-past';
import type { LineageModel, PastDeps } from './past-deps';
import { PastEdges } from './past-edges';

const aspectName = 'upstreamLineage';
const stamp = { time: 1, actor: 'urn:li:corpuser:tester' };
/** A time after the first writes of each test. */
const THEN = 10;

type Version = PastVersion & { readonly urn: string };

/** A store of one partition, and its graph. */
class Catalog implements PastDeps {
  readonly store = { readPartitionSequences: () => Promise.resolve(new Map([[0, this.versions.length]])) };
  readonly model: LineageModel = {
    aspectNames: [aspectName],
    keyAspect: () => undefined,
    *project(urn, { value }) {
      yield;
      return (parseJson(value) as readonly string[]).map((upstream) => toEdge(urn, upstream));
    },
  };
  /** Number of versions that the graph includes. */
  indexed = Infinity;
  private readonly versions: Version[] = [];

  /** Writes what an entity is made from. */
  write(timeMs: number, urn: string, ...upstreams: readonly string[]): void {
    this.push(timeMs, { urn, kind: 'upsert', value: stringifyJson(upstreams) });
  }

  remove(timeMs: number, urn: string): void {
    this.push(timeMs, { urn, kind: 'delete' });
  }

  private push(timeMs: number, change: Pick<Version, 'urn' | 'kind' | 'value'>): void {
    const version = this.listVersions(change).length + 1;
    const created = { ...stamp, time: timeMs };
    const seq = this.versions.length + 1;
    this.versions.push({ ...change, aspectName, version, seq, created, systemMetadata: {} });
  }

  readonly history: PastDeps['history'] = {
    positionAt: (timeMs) => {
      const seq = this.versions.filter(({ created }) => created.time <= timeMs).length;
      return Promise.resolve({ position: new Map([[0, seq]]) });
    },
    listChangedAspects: ({ after, upTo }) => {
      const changes = this.versions.slice(after.get(0) ?? 0, upTo.get(0));
      const firsts = new Map(changes.toReversed().map((each) => [each.urn, each]));
      return Promise.resolve([...firsts.values()].filter(({ version }) => version > 1));
    },
    filterUnwritten: (refs, timeMs) =>
      Promise.resolve(
        refs.filter((ref) => {
          const last = this.listVersions(ref).at(-1);
          return last?.kind === 'upsert' && last.created.time <= timeMs;
        }),
      ),
    aspectsAt: (refs, timeMs) => {
      const aspects = refs.flatMap((ref) => {
        const last = this.listVersions(ref).findLast(({ created }) => created.time <= timeMs);
        return last?.value === undefined ? [] : { ...last, value: last.value };
      });
      return Promise.resolve({ aspects, lost: [], rest: [] });
    },
  } satisfies Partial<AspectHistory>;

  readonly live: LineageGraph = {
    position: () => this.store.readPartitionSequences(),
    lineageHop: async (request) => {
      const steps = request.urns.flatMap((near) =>
        this.edges.from(near, request).slice(0, request.limitPerUrn),
      );
      return { steps, answered: request.urns.length, position: await this.store.readPartitionSequences() };
    },
    lineageEdges: (request) => {
      const { edges } = this;
      const found = [...new Set(request.ends.map(({ near }) => near))].flatMap((near) =>
        edges.from(near, request),
      );
      return Promise.resolve(found.filter(({ far }) => request.ends.some((pair) => pair.far === far)));
    },
    lineageColumns: () => Promise.resolve([]),
  };

  private get edges(): PastEdges {
    const edges = new PastEdges();
    const versions = this.versions.slice(0, this.indexed);
    for (const [urn, { value = '[]' }] of new Map(versions.map((each) => [each.urn, each]))) {
      for (const upstream of parseJson(value) as readonly string[]) {
        edges.add(toEdge(urn, upstream), { owner: urn, aspectName });
      }
    }
    return edges;
  }

  private listVersions({ urn }: Pick<AspectRef, 'urn'>): readonly Version[] {
    return this.versions.filter((each) => each.urn === urn);
  }
}

function toEdge(source: string, destination: string): Edge {
  const facts = { isLineage: true, isUpstream: true, created: stamp, updated: stamp };
  return { source, relationship: 'DownstreamOf', destination, ...facts };
}

const hop = (direction: LineageDirection, near: string, limits: Partial<LineageHopRequest> = {}) => ({
  urns: [near],
  direction,
  level: 'ENTITY' as const,
  limitPerUrn: 100,
  limit: 100,
  ...limits,
});

describe('openPast', () => {
  const open = async (catalog: Catalog) => {
    const { graph } = await openPast(catalog, { timeMs: THEN, parameter: 'asOf' });
    const follow = async (...request: Parameters<typeof hop>) =>
      (await graph.lineageHop(hop(...request))).steps.map(({ far }) => far);
    return { graph, follow };
  };

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('leaves out aspects that came later, of calls at the same time', async () => {
    const catalog = new Catalog();
    catalog.write(1, 'first');
    catalog.write(11, 'b', 'a');
    const { follow } = await open(catalog);
    expect(await Promise.all([follow('UPSTREAM', 'b'), follow('DOWNSTREAM', 'a')])).toEqual([[], []]);
  });

  it('leaves out aspects that came later and went, before the graph knows it', async () => {
    const catalog = new Catalog();
    catalog.write(1, 'first');
    catalog.write(11, 'b', 'a');
    catalog.remove(12, 'b');
    catalog.indexed = 2;
    const { follow } = await open(catalog);
    expect(await follow('UPSTREAM', 'b')).toEqual([]);
  });

  it('keeps former edges of aspects that are written while the request lasts', async () => {
    const catalog = new Catalog();
    catalog.write(1, 'b', 'a');
    catalog.write(1, 'd', 'c');
    const { graph, follow } = await open(catalog);
    expect(await follow('UPSTREAM', 'b')).toEqual(['a']);
    catalog.write(11, 'b');
    catalog.write(11, 'd', 'x');
    expect(await follow('DOWNSTREAM', 'a')).toEqual(['b']);
    expect(await follow('UPSTREAM', 'd')).toEqual(['c']);
    expect(await follow('DOWNSTREAM', 'x')).toEqual([]);
    const query = { direction: 'UPSTREAM', exceptVia: [], limitPerPair: 9 } as const;
    const ends = [
      { near: 'b', far: 'a' },
      { near: 'd', far: 'c' },
      { near: 'd', far: 'x' },
    ];
    catalog.write(12, 'd', 'c', 'x');
    expect(await graph.lineageEdges({ ...query, ends })).toMatchObject(ends.slice(0, 2));
  });

  it('stops at the first aspect that exceeds the number of edges', async () => {
    const catalog = new Catalog();
    const project = jest.fn<LineageModel['project']>(function* (urn) {
      yield;
      return Array.from<Edge>({ length: 60_000 }).fill({ ...toEdge(urn, 'a'), isLineage: false });
    });
    for (const timeMs of [1, 11]) for (const urn of ['b', 'c', 'd', 'e']) catalog.write(timeMs, urn);
    const { store, history, live, model } = catalog;
    const deps = { store, history, live, model: { ...model, project } };
    await expect(openPast(deps, { timeMs: THEN, parameter: 'asOf' })).rejects.toThrow(
      /more than 100000 edges of lineage changed since then: choose a later time/,
    );
    expect(project).toHaveBeenCalledTimes(2);
  });

  it('cuts the edges of one entity before it counts them', async () => {
    const catalog = new Catalog();
    catalog.write(1, 'b', 'a1', 'a2', 'a3');
    catalog.write(11, 'b');
    const { graph } = await open(catalog);
    expect(await graph.lineageHop(hop('UPSTREAM', 'b', { limitPerUrn: 2, limit: 2 }))).toMatchObject({
      answered: 1,
      steps: [{ far: 'a1' }, { far: 'a2' }],
    });
  });

  it('reads the former edges of an entity once for all its pairs', async () => {
    const catalog = new Catalog();
    const names = Array.from({ length: 50 }, (_, n) => `a${String(n)}`);
    catalog.write(1, 'b', ...names);
    catalog.write(11, 'b');
    const { graph } = await open(catalog);
    const from = jest.spyOn(PastEdges.prototype, 'from');
    const query = { direction: 'UPSTREAM', exceptVia: [], limitPerPair: 1 } as const;
    const ends = names.map((far) => ({ near: 'b', far }));
    expect(await graph.lineageEdges({ ...query, ends })).toMatchObject(ends);
    // Once of the live graph, and once of the past.
    expect(from).toHaveBeenCalledTimes(2);
  });
});
