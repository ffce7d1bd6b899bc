import type { Addresses } from '@stratalog/local-stack';
import { NEW_SHARE } from '../ingest/ingest-sizes';
import type { BenchOptions } from '../bench-options';
import { resident } from '../ingest/write-cases';
import type { BenchRun } from '../processes/bench-run';
import type { Floor } from '../report/measurement';
import type { Report } from '../report/report';
import { WriteWorkload, type PlannedWrite } from '../workload/write-workload';
import { AppliedProposals } from './applied-proposals';
import { catchUp } from './catch-up';
import { DistributedCatalog } from './distributed-catalog';
import { engineFloor, kafkaFloor } from './floors';
import { ProposalProducer } from './proposal-producer';
import { startServers } from './servers';

interface PipelineSizes {
  readonly floorSeconds: number;
  readonly warmRecords: number;
  readonly records: number;
  readonly writers: readonly number[];
}

const FULL: PipelineSizes = { floorSeconds: 6, warmRecords: 20_000, records: 100_000, writers: [1, 2, 3] };
const QUICK: PipelineSizes = { floorSeconds: 0.3, warmRecords: 100, records: 300, writers: [1] };
const SEED = 1;

/** Measures proposals on Kafka, from any producer, until they are committed and until they are searchable. */
export async function runPipeline(
  run: BenchRun,
  report: Report,
  { quick }: Pick<BenchOptions, 'quick'>,
): Promise<void> {
  const sizes = quick ? QUICK : FULL;
  report.begin('starting');
  const servers = await startServers(run, report);
  const floor = await kafkaFloor(report, servers, sizes.floorSeconds);
  await engineFloor(report, servers, sizes.floorSeconds);
  for (const writers of sizes.writers) {
    const catalog = await DistributedCatalog.start(run, servers, writers);
    await pipeline({ report, servers, catalog, floor, sizes }, writers);
    await catalog.stop();
  }
}

interface Pipeline {
  readonly report: Report;
  readonly servers: Addresses;
  readonly catalog: DistributedCatalog;
  readonly floor: Floor;
  readonly sizes: PipelineSizes;
}

async function pipeline(
  { report, servers, catalog, floor, sizes }: Pipeline,
  writers: number,
): Promise<void> {
  const producer = await ProposalProducer.connect(servers.KAFKA_BROKERS, catalog.topicPrefix);
  const applied = await AppliedProposals.open(catalog.databaseUrl);
  const workload = new WriteWorkload(SEED);
  const label = `${String(writers)} ${writers === 1 ? 'writer' : 'writers'}`;
  try {
    const before = await applied.count();
    await producer.produce(mixOf(workload, sizes.warmRecords));
    await applied.until(before + sizes.warmRecords);
    await catchUp(report, catalog, `${label}: warm-up is searchable`);

    const name = `${label}: from Kafka to committed`;
    const started = report.begin(name);
    const start = performance.now();
    const { producedInSeconds, seconds, cpuCores } = await catalog.watching(name, async () => {
      await producer.produce(mixOf(workload, sizes.records));
      const produced = performance.now();
      await applied.until(before + sizes.warmRecords + sizes.records);
      return {
        producedInSeconds: (produced - start) / 1000,
        seconds: (performance.now() - start) / 1000,
      };
    });
    report.add(started, {
      case: name,
      sizes: { unit: 'proposals', records: sizes.records, writers, producedInSeconds },
      seconds,
      rate: sizes.records / seconds,
      cpuCores,
      ...resident(catalog),
      floor,
      goals: [{ of: 'rate', atLeast: 8_000 }],
    });
    await catchUp(report, catalog, `${label}: from committed to searchable`);
    await applied.expectNoneRejected();
  } finally {
    await producer.close();
    await applied.close();
  }
}

function* mixOf(workload: WriteWorkload, count: number): Iterable<PlannedWrite> {
  for (let at = 0; at < count; at++) yield workload.next(NEW_SHARE);
}
