import { toLatencies } from '@stratalog/harness';
import { measured } from '../ingest/write-cases';
import type { LoadCommands } from '../load/load';
import type { Worker } from '../processes/worker';
import type { Finding, Goal } from '../report/measurement';
import type { Report } from '../report/report';
import type { MeasuredCatalog } from '../serve/measured-catalog';
import { QUERY_KINDS } from './query-candidates';
import type { QueryClass, QueryClasses } from './query-classes';
import type { SearchSizes } from './search-sizes';

/** The shared parts of a search bench's cases. */
export interface SearchBench {
  readonly sizes: SearchSizes;
  readonly report: Report;
  readonly load: Worker<LoadCommands>;
  readonly catalog: MeasuredCatalog;
  readonly floor: SearchFloor;
}

/** The same searches without most of the catalog. */
export interface SearchFloor {
  readonly what: string;
  readonly goals: readonly Goal[];
  /** Resolves to the milliseconds of each. */
  measure(inputs: readonly string[]): Promise<readonly number[]>;
}

interface Timed {
  readonly kind: string;
  readonly total: number;
  readonly ms: number;
}

const NARROW_GOAL: readonly Goal[] = [{ of: 'p95Ms', atMost: 20 }];
const BROAD_GOAL: readonly Goal[] = [{ of: 'p95Ms', atMost: 150 }];
const CONNECTIONS = [1, 4] as const;

/**
 * Measures every class on its own, over one connection and over four; then the mix from one match to 1,000 as
 * a whole and by kind.
 */
export async function measureQueries(bench: SearchBench, classes: QueryClasses): Promise<void> {
  const all: QueryClass = {
    name: 'everything (*)',
    queries: Array.from({ length: bench.sizes.broadQueries }, () => ({
      kind: 'word',
      input: '*',
      total: bench.sizes.datasets,
    })),
  };
  const mix: QueryClass = { name: 'mix of 1 to 1,000 matches', queries: interleaved(classes.narrow) };
  for (const connections of CONNECTIONS) {
    await measureClass(bench, classes.none, connections);
    for (const narrow of classes.narrow) await measureClass(bench, narrow, connections);
    const timed = await measureClass(bench, mix, connections, NARROW_GOAL);
    if (connections === 1) reportKinds(bench, timed);
    await measureClass(bench, classes.broad, connections, BROAD_GOAL);
    await measureClass(bench, all, connections, BROAD_GOAL);
  }
}

async function measureClass(
  { sizes, report, load, catalog, floor }: SearchBench,
  { name, queries }: QueryClass,
  connections: number,
  goals: readonly Goal[] = [],
): Promise<readonly Timed[]> {
  const started = report.begin(`${name}, ${String(connections)} connections`);
  const inputs = queries.map(({ input }) => input);
  if (inputs.length === 0) {
    report.begin('  no such query was found');
    return [];
  }
  // Measures the floor before and after, so that a change in the machine's load does not show as a cost of
  // the catalog.
  const measureFloor = async (): Promise<readonly number[]> =>
    connections === 1 ? floor.measure(inputs) : [];
  const before = await measureFloor();
  const { figures, searches, cpuCores } = await catalog.watching(`search ${name}`, () =>
    load.call('search', { url: catalog.url, connections, inputs }),
  );
  const floorMs = [...before, ...(await measureFloor())];
  report.add(started, {
    case: `${name}, ${String(connections)} ${connections === 1 ? 'connection' : 'connections'}`,
    sizes: {
      unit: 'queries',
      queries: inputs.length,
      connections,
      datasets: sizes.datasets,
      ...kindCounts(queries),
      ...(floorMs.length === 0
        ? {}
        : { floorP50Ms: toLatencies(floorMs).p50Ms, floorP95Ms: toLatencies(floorMs).p95Ms }),
    },
    ...measured({ ...figures, ...(cpuCores === undefined ? {} : { cpuCores }) }),
    ...toFloor(floor.what, floorMs),
    goals: goals.length > 0 && floorMs.length > 0 ? [...goals, ...floor.goals] : goals,
  });
  return searches.map((search, at) => ({ ...search, kind: queries[at]?.kind ?? '' }));
}

/** Returns the rate of the floor, one query after another. */
function toFloor(what: string, floorMs: readonly number[]): Pick<Finding, 'floor'> {
  if (floorMs.length === 0) return {};
  const rate = (floorMs.length * 1000) / floorMs.reduce((sum, ms) => sum + ms, 0);
  return { floor: { what: `${what}; mean of before and after`, rate } };
}

function reportKinds({ report }: SearchBench, timed: readonly Timed[]): void {
  for (const kind of QUERY_KINDS) {
    const own = timed.filter((search) => search.kind === kind).map(({ ms }) => ms);
    if (own.length === 0) continue;
    const seconds = own.reduce((sum, ms) => sum + ms, 0) / 1000;
    report.add(report.begin(`of these, ${kind}`), {
      case: `mix of 1 to 1,000 matches, ${kind}`,
      sizes: { unit: 'queries', queries: own.length, connections: 1 },
      seconds,
      rate: own.length / seconds,
      ...toLatencies(own),
    });
  }
}

function kindCounts(queries: QueryClass['queries']): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { kind } of queries) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/**
 * Takes one of each class in turn; a class with fewer queries repeats its own, so that all weigh the same.
 */
function interleaved(classes: readonly QueryClass[]): QueryClass['queries'] {
  const filled = classes.filter(({ queries }) => queries.length > 0);
  const longest = Math.max(0, ...filled.map(({ queries }) => queries.length));
  return Array.from({ length: longest }, (_, at) =>
    filled.flatMap(({ queries }) => queries.slice(at % queries.length, (at % queries.length) + 1)),
  ).flat();
}
