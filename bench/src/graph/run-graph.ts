import { toLatencies } from '@stratalog/harness';
import type { BenchOptions } from '../bench-options';
import { measured, resident } from '../ingest/write-cases';
import type { LoadCommands } from '../load/load';
import type { CatalogRequest } from '../load/requests';
import type { BenchRun } from '../processes/bench-run';
import type { Worker } from '../processes/worker';
import type { Goal } from '../report/measurement';
import type { Report } from '../report/report';
import { BenchCatalog } from '../serve/catalog';
import { FAN_OUT, ROOTS, TREE_SIZE } from '../workload/lineage-generator';
import type { EdgeTableCommands } from './edge-table';
import { chooseGraphSizes, type GraphSizes } from './graph-sizes';

const CLIENTS = [1, 8] as const;
const SHORT: readonly Goal[] = [{ of: 'p95Ms', atMost: 60 }];
const LONG: readonly Goal[] = [{ of: 'p95Ms', atMost: 500 }];
const UNKNOWN: readonly Goal[] = [{ of: 'p95Ms', atMost: 3 }];
/** Entities of a page of an answer. */
const PAGE = 100;

interface GraphBench {
  readonly sizes: GraphSizes;
  readonly report: Report;
  readonly load: Worker<LoadCommands>;
  readonly catalog: BenchCatalog;
  readonly table: Worker<EdgeTableCommands>;
}

interface WalkCase {
  readonly name: string;
  readonly requests: number;
  readonly urn: (at: number) => string;
  readonly maxHops: number;
  /** Place of the page in the answer. */
  readonly start?: (at: number) => number;
  /** Numbers of clients with the goals of each. */
  readonly goals: Partial<Readonly<Record<(typeof CLIENTS)[number], readonly Goal[]>>>;
  /** The same walk as a recursive statement; false for pages, which it has not. */
  readonly hasFloor: boolean;
}

/**
 * Measures lineage over several hops: building the graph, walks by their length and the number of entities that they
 * reach, and pages of a hub, compared with a recursive statement over a plain table of the same edges.
 */
export async function runGraph(run: BenchRun, report: Report, options: BenchOptions): Promise<void> {
  const sizes = chooseGraphSizes(options);
  const dataDir = run.newDataDir('catalog');
  await writeLineage(run, report, { dataDir, sizes });
  const [load, table] = [
    await run.start<LoadCommands>('load', {}),
    await run.start<EdgeTableCommands>('edge-table', { dataDir: run.newDataDir('table') }),
  ];
  report.begin('loading the plain edge table');
  const { edges } = await table.call('load', sizes);
  const building = report.begin(`building the graph of ${String(edges)} edges`);
  const catalog = await BenchCatalog.start(run, { dataDir, indexing: 'graph' }, options.profileFolder);
  const { seconds, cpuCores } = await catalog.watching('build the graph', () => catalog.ready());
  report.add(building, {
    case: 'build the graph',
    sizes: { unit: 'edges', edges },
    seconds,
    rate: edges / seconds,
    ...resident(catalog),
    ...(cpuCores === undefined ? {} : { cpuCores }),
  });
  const bench = { sizes, report, load, catalog, table };
  for (const each of listCases(sizes)) {
    for (const clients of CLIENTS) await measureWalks(bench, each, clients);
  }
}

/** Without indices, so that writing has the machine for itself. */
async function writeLineage(
  run: BenchRun,
  report: Report,
  { dataDir, sizes }: { readonly dataDir: string; readonly sizes: GraphSizes },
): Promise<void> {
  const catalog = await BenchCatalog.start(run, { dataDir, indexing: false });
  await catalog.ready();
  report.runsOn(catalog.serverProgram);
  const started = report.begin('writing lineage');
  const { seconds, proposals, cpuCores } = await catalog.watching('write lineage', () =>
    catalog.commands.call('loadLineage', sizes),
  );
  report.add(started, {
    case: 'write lineage through the proposal log',
    sizes: { unit: 'proposals', proposals },
    seconds,
    rate: proposals / seconds,
    ...(cpuCores === undefined ? {} : { cpuCores }),
  });
  await catalog.stop();
}

function listCases(sizes: GraphSizes): readonly WalkCase[] {
  const tree = (at: number): string => ROOTS.tree(at % sizes.trees);
  const { requests, longRequests, layers, layerWidth, hubEdges } = sizes;
  const long = { requests: longRequests, urn: () => ROOTS.layered, hasFloor: true };
  return [
    { name: `1 hop to ${String(FAN_OUT)}`, requests, urn: tree, maxHops: 1, goals: {}, hasFloor: true },
    {
      name: `2 hops to ${String(FAN_OUT + FAN_OUT ** 2)}`,
      requests,
      urn: tree,
      maxHops: 2,
      goals: {},
      hasFloor: true,
    },
    {
      name: `3 hops to ${String(TREE_SIZE)}`,
      requests,
      urn: tree,
      maxHops: 3,
      goals: { 1: SHORT, 8: SHORT },
      hasFloor: true,
    },
    { ...long, name: `1 hop to ${String(layerWidth)}`, maxHops: 1, goals: {} },
    {
      ...long,
      name: `${String(layers)} hops to ${String(layers * layerWidth)}`,
      maxHops: layers,
      goals: { 1: LONG },
    },
    {
      name: `a page of a hub of ${String(hubEdges)}`,
      requests: longRequests,
      urn: () => ROOTS.hub,
      maxHops: 1,
      start: (at) => (at * 7_919) % (hubEdges - PAGE),
      goals: {},
      hasFloor: false,
    },
    // Last, because the server tidies the new tables at first.
    {
      name: 'an unknown urn, 10 hops',
      requests,
      urn: ROOTS.unknown,
      maxHops: 10,
      goals: { 1: UNKNOWN },
      hasFloor: true,
    },
  ];
}

async function measureWalks(
  { report, load, catalog, table }: GraphBench,
  { name, requests: count, urn, maxHops, start = () => 0, goals, hasFloor }: WalkCase,
  clients: (typeof CLIENTS)[number],
): Promise<void> {
  const title = `${name}, ${String(clients)} ${clients === 1 ? 'client' : 'clients'}`;
  const started = report.begin(title);
  const numbers = Array.from({ length: count }, (_, at) => at);
  const requests = numbers.map((at): CatalogRequest => ({
    target: '/relationships?action=getLineage',
    body: { urn: urn(at), direction: 'DOWNSTREAM', maxHops, start: start(at), count: PAGE },
  }));
  // Compiled code and cached pages on both sides.
  const warm = requests.slice(0, Math.ceil(count / 4));
  await load.call('ask', { url: catalog.url, connections: clients, requests: warm });
  const figures = await catalog.watching(title, () =>
    load.call('ask', { url: catalog.url, connections: clients, requests }),
  );
  const recursive = { urns: numbers.map(urn), hops: maxHops, connections: clients };
  const floor = hasFloor ? await table.call('walk', recursive) : undefined;
  const own = floor === undefined ? undefined : toLatencies(floor.latenciesMs);
  report.add(started, {
    case: title,
    sizes: {
      unit: 'walks',
      clients,
      ...(own === undefined || floor === undefined
        ? {}
        : { found: floor.found, recursiveP50Ms: own.p50Ms, recursiveP95Ms: own.p95Ms }),
    },
    ...measured(figures),
    ...(floor === undefined
      ? {}
      : { floor: { what: 'a recursive statement over a plain edge table', rate: count / floor.seconds } }),
    goals: goals[clients] ?? [],
  });
}
