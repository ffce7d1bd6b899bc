import { availableParallelism } from 'node:os';
import { resident } from '../ingest/write-cases';
import type { BenchOptions } from '../bench-options';
import type { LoadCommands } from '../load/load';
import type { BenchRun } from '../processes/bench-run';
import type { Report } from '../report/report';
import { measureQueries, type SearchFloor } from '../search/measure-queries';
import { classify } from '../search/run-search';
import { measureDiscovery } from '../search/measure-discovery';
import { chooseSizes, type SearchSizes } from '../search/search-sizes';
import { DatasetGenerator } from '../workload/dataset-generator';
import { makeProposals } from '../workload/make-proposals';
import { AppliedProposals } from './applied-proposals';
import { catchUp } from './catch-up';
import { DistributedCatalog } from './distributed-catalog';
import { EngineTap } from './engine-tap';
import { ProposalProducer, type Proposed } from './proposal-producer';
import { startServers } from './servers';

/** Runs the queries of the embedded catalog's bench through the proxy on the search engine. */
export async function runDistributedSearch(
  run: BenchRun,
  report: Report,
  options: Pick<BenchOptions, 'quick' | 'entities'>,
): Promise<void> {
  const sizes = chooseSizes(options);
  report.begin('starting');
  const servers = await startServers(run, report);
  const tap = await EngineTap.open(servers.ELASTICSEARCH_URL);
  run.owns(tap);
  const slices = chooseSlices(sizes);
  const catalog = await DistributedCatalog.start(
    run,
    { ...servers, ELASTICSEARCH_URL: tap.url },
    1,
    slices === undefined ? {} : { STRATALOG_SEARCH_SLICES: String(slices) },
  );
  const producer = await ProposalProducer.connect(servers.KAFKA_BROKERS, catalog.topicPrefix);
  const applied = await AppliedProposals.open(catalog.databaseUrl);
  const started = report.begin(`loading ${String(sizes.datasets)} datasets`);
  const start = performance.now();
  const { proposals, seconds, cpuCores } = await catalog.watching('load', async () => {
    const before = await applied.count();
    const count = await producer.produce(datasets(sizes.datasets));
    await applied.until(before + count);
    return { proposals: count, seconds: (performance.now() - start) / 1000 };
  });
  await producer.close();
  report.add(started, {
    case: 'load through Kafka',
    sizes: {
      unit: 'proposals',
      datasets: sizes.datasets,
      proposals,
      ...(slices === undefined ? {} : { slices }),
    },
    seconds,
    rate: proposals / seconds,
    cpuCores,
  });
  await catchUp(report, catalog, 'index catches up');
  await applied.expectNoneRejected();
  await applied.close();
  const load = await run.start<LoadCommands>('load', {});
  const floor: SearchFloor = {
    what: "the engine's own queries of a search, without the catalog",
    goals: [{ of: 'ratioToFloor', atLeast: 1 / 1.3 }],
    measure: async (inputs) => {
      const times: number[] = [];
      for (const input of inputs) {
        const searches = await tap.record(() =>
          load.call('search', { url: catalog.url, connections: 1, inputs: [input] }),
        );
        times.push(await tap.replay(searches));
      }
      return times;
    },
  };
  const bench = { sizes, report, load, catalog, floor };
  await measureQueries(bench, await classify(bench));
  await measureDiscovery(bench);
  report.add(report.begin('memory'), {
    case: 'memory of the whole stack after all queries',
    sizes: { datasets: sizes.datasets },
    seconds: 0,
    ...resident(catalog),
    goals: [{ of: 'residentMb', atMost: 3_072 }],
  });
}

const MOST_SLICES = 4;

/** A search of millions is shared as the page of the search engine recommends. */
function chooseSlices({ datasets }: Pick<SearchSizes, 'datasets'>): number | undefined {
  return datasets < 1_000_000 ? undefined : Math.min(MOST_SLICES, availableParallelism());
}

function* datasets(count: number): Iterable<Proposed> {
  const generator = new DatasetGenerator();
  for (let index = 0; index < count; index++) {
    for (const { urn, aspectName, value = '' } of makeProposals(generator.at(index))) {
      yield { urn, aspectName, value };
    }
  }
}
