import type { Proposal } from '@stratalog/domain';
import type { Report } from '../report/report';
import type { BenchCatalog } from '../serve/catalog';
import { toUsageValues, type UsageSeries } from '../workload/make-timeseries';
import { callAction } from './call-action';

const BATCH = 500;
const CONNECTIONS = 4;
const GOAL = { of: 'rate', atLeast: 10_000 } as const;

interface BatchBench {
  readonly report: Report;
  readonly catalog: BenchCatalog;
  readonly series: UsageSeries;
}

/** Measures writes of usage over HTTP in batches. The bodies are made before. */
export async function measureBatches({ report, catalog, series }: BatchBench): Promise<void> {
  const name = `batches of ${String(BATCH)} timeseries values over HTTP`;
  const bodies = makeBodies(series);
  const started = report.begin(name);
  const start = performance.now();
  const waiting = bodies.values();
  const connection = async (): Promise<void> => {
    for (const body of waiting) await callAction(catalog, '/aspects?action=ingestProposalBatch', body);
  };
  const { cpuCores } = await catalog.watching(name, async () => {
    await Promise.all(Array.from({ length: CONNECTIONS }, connection));
    return {};
  });
  const seconds = (performance.now() - start) / 1000;
  const timeseriesValues = series.entities * series.days;
  report.add(started, {
    case: name,
    sizes: { unit: 'timeseries', timeseriesValues, entities: series.entities, connections: CONNECTIONS },
    seconds,
    rate: timeseriesValues / seconds,
    ...(cpuCores === undefined ? {} : { cpuCores }),
    goals: [GOAL],
  });
}

function makeBodies(series: UsageSeries): readonly string[] {
  const proposals = [...toUsageValues(series)].map(toSent);
  const starts = Array.from({ length: Math.ceil(proposals.length / BATCH) }, (_, at) => at * BATCH);
  return starts.map((from) => JSON.stringify({ proposals: proposals.slice(from, from + BATCH) }));
}

function toSent({ urn, entityType, aspectName, changeType, value, systemMetadata }: Proposal): object {
  const aspect = { contentType: 'application/json', value };
  return { entityUrn: urn, entityType, aspectName, changeType, aspect, systemMetadata };
}
