import type { BenchOptions } from '../bench-options';
import { measured } from '../ingest/write-cases';
import type { LoadCommands } from '../load/load';
import type { BenchRun } from '../processes/bench-run';
import type { Worker } from '../processes/worker';
import type { Report } from '../report/report';
import { BenchCatalog } from '../serve/catalog';
import { listPairs, type CallPair } from './call-pairs';

interface GraphqlSizes {
  readonly datasets: number;
  readonly trees: number;
  /** Answers of each kind and case. */
  readonly answers: number;
}

const FULL: GraphqlSizes = { datasets: 10_000, trees: 5, answers: 200 };
/** Enough to run every case; its figures mean nothing. */
const QUICK: GraphqlSizes = { datasets: 60, trees: 1, answers: 4 };

/** One connection: what a call takes, not how long a queue is. */
const CONNECTIONS = 1;

/** Measures GraphQL beside the Rest.li calls that give a client the same. */
export async function runGraphql(run: BenchRun, report: Report, options: BenchOptions): Promise<void> {
  const sizes = options.quick ? QUICK : FULL;
  report.begin('starting');
  const dataDir = run.newDataDir('catalog');
  const writing = await BenchCatalog.start(run, { dataDir, indexing: false });
  await writing.ready();
  report.runsOn(writing.serverProgram);
  report.begin(`loading ${String(sizes.datasets)} datasets and their lineage`);
  await writing.commands.call('loadDatasets', { count: sizes.datasets });
  await writing.commands.call('loadLineage', {
    edges: 10,
    trees: sizes.trees,
    layers: 1,
    layerWidth: 1,
    hubEdges: 1,
  });
  await writing.stop();
  const catalog = await BenchCatalog.start(run, { dataDir, indexing: true }, options.profileFolder);
  await catalog.ready();
  const load = await run.start<LoadCommands>('load', {});
  for (const pair of await listPairs(catalog.url, sizes)) await measurePair({ report, load, catalog }, pair);
}

interface GraphqlBench {
  readonly report: Report;
  readonly load: Worker<LoadCommands>;
  readonly catalog: BenchCatalog;
}

async function measurePair(bench: GraphqlBench, { name, restli, graphql }: CallPair): Promise<void> {
  const beside = await measureAnswers(bench, `${name}, Rest.li`, restli);
  await measureAnswers(bench, `${name}, GraphQL`, graphql, beside);
}

/** Returns the answers per second. */
async function measureAnswers(
  { report, load, catalog }: GraphqlBench,
  title: string,
  answers: CallPair['restli'],
  beside?: number,
): Promise<number> {
  const started = report.begin(title);
  const ask = (some: typeof answers) =>
    load.call('ask', { url: catalog.url, connections: CONNECTIONS, requests: some.flat() });
  // Compiled code and cached pages.
  await ask(answers);
  const figures = await catalog.watching(title, () => ask(answers));
  const { seconds, cpuCores } = measured(figures);
  const rate = answers.length / seconds;
  report.add(started, {
    case: title,
    sizes: { unit: 'answers', calls: answers[0]?.length ?? 0, connections: CONNECTIONS },
    seconds,
    rate,
    ...(cpuCores === undefined ? {} : { cpuCores }),
    ...(beside === undefined ? {} : { floor: { what: 'the Rest.li calls', rate: beside } }),
  });
  return rate;
}
