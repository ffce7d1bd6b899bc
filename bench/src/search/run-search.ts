import type { BenchOptions } from '../bench-options';
import { resident } from '../ingest/write-cases';
import type { LoadCommands } from '../load/load';
import type { BenchRun } from '../processes/bench-run';
import type { Report } from '../report/report';
import { BenchCatalog } from '../serve/catalog';
import { DatasetGenerator } from '../workload/dataset-generator';
import { measureQueries, type SearchBench } from './measure-queries';
import { queryCandidates } from './query-candidates';
import { queryClasses, type QueryClasses } from './query-classes';
import { measureDiscovery } from './measure-discovery';
import { chooseSizes } from './search-sizes';

/** Loads datasets, builds the index from nothing, and measures searches. */
export async function runSearch(run: BenchRun, report: Report, options: BenchOptions): Promise<void> {
  const sizes = chooseSizes(options);
  const dataDir = run.newDataDir('catalog');
  await loadDatasets(run, report, { dataDir, count: sizes.datasets });

  const building = report.begin('building the index');
  const catalog = await BenchCatalog.start(run, { dataDir, indexing: true }, options.profileFolder);
  const { seconds, cpuCores } = await catalog.watching('build the index', () => catalog.ready());
  report.add(building, {
    case: 'build the index',
    sizes: { unit: 'documents', datasets: sizes.datasets },
    seconds,
    rate: sizes.datasets / seconds,
    ...resident(catalog),
    ...(cpuCores === undefined ? {} : { cpuCores }),
  });
  const load = await run.start<LoadCommands>('load', {});
  const floor: SearchBench['floor'] = {
    what: "the adapter's own search, without HTTP",
    goals: [],
    measure: async (inputs) =>
      (await catalog.commands.call('searchDirectly', { inputs })).map(({ ms }) => ms),
  };
  const bench = { sizes, report, load, catalog, floor };
  await measureQueries(bench, await classify(bench));
  await measureDiscovery(bench);
  report.add(report.begin('memory'), {
    case: 'memory after all queries',
    sizes: { datasets: sizes.datasets },
    seconds: 0,
    ...resident(catalog),
    goals: [{ of: 'residentMb', atMost: 700 }],
  });
}

/** Loads without the indexer, so that loading and indexing have a rate each. */
export async function loadDatasets(
  run: BenchRun,
  report: Report,
  { dataDir, count }: { readonly dataDir: string; readonly count: number },
): Promise<void> {
  const catalog = await BenchCatalog.start(run, { dataDir, indexing: false });
  await catalog.ready();
  report.runsOn(catalog.serverProgram);
  const started = report.begin(`loading ${String(count)} datasets`);
  const { seconds, proposals, cpuCores } = await catalog.watching('load', () =>
    catalog.commands.call('loadDatasets', { count }),
  );
  report.add(started, {
    case: 'load through the proposal log',
    sizes: { unit: 'proposals', datasets: count, proposals },
    seconds,
    rate: proposals / seconds,
    ...(cpuCores === undefined ? {} : { cpuCores }),
  });
  await catalog.stop();
}

/** Searches for every candidate once: that counts its matching datasets, and warms up both sides. */
export async function classify({ sizes, report, load, catalog }: SearchBench): Promise<QueryClasses> {
  report.begin('sorting queries by their number of matches');
  const candidates = queryCandidates(new DatasetGenerator(), sizes.datasets, sizes.candidatesPerKind);
  const inputs = candidates.map(({ input }) => input);
  const { searches } = await load.call('search', { url: catalog.url, connections: 2, inputs });
  const counted = candidates.map((candidate, at) => ({ ...candidate, total: searches[at]?.total ?? 0 }));
  return queryClasses(counted, sizes.datasets, {
    limit: sizes.queriesPerClass,
    broadLimit: sizes.broadQueries,
  });
}
