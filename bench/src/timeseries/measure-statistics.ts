import { toLatencies } from '@stratalog/harness';
import type { Report } from '../report/report';
import type { BenchCatalog } from '../serve/catalog';
import { usedUrn, type UsageSeries } from '../workload/make-timeseries';
import { callAction } from './call-action';

const DAYS = { type: 'DATE_GROUPING_BUCKET', key: 'timestampMillis', timeWindowSize: { unit: 'DAY' } };
const QUERIES = { fieldPath: 'totalSqlQueries', aggregationType: 'SUM' };
const USERS = { type: 'STRING_GROUPING_BUCKET', key: 'userCounts.user', size: 10, orderByMetric: true };
const DAY_MS = 86_400_000;
const COUNTS = { fieldPath: 'userCounts.count', aggregationType: 'SUM' };

interface StatisticsBench {
  readonly report: Report;
  readonly catalog: BenchCatalog;
  readonly series: UsageSeries;
  /** The first tables and the last days, which the statistics are about. */
  readonly asked: Omit<UsageSeries, 'lastMs'>;
  readonly questions: number;
}

/** Measures statistics over the usage of many tables: sums of each day, and the most active users. */
export async function measureStatistics(bench: StatisticsBench): Promise<void> {
  const { report, catalog, series, asked } = bench;
  const started = report.begin('writing the usage of many tables');
  const { seconds, proposals } = await catalog.commands.call('loadUsage', series);
  report.add(started, {
    case: 'write usage through the proposal log',
    sizes: { unit: 'timeseries', entities: series.entities, days: series.days },
    seconds,
    rate: proposals / seconds,
  });
  await ask(bench, { name: 'sums of each day', metrics: [QUERIES], buckets: [DAYS], rows: asked.days });
  await ask(bench, { name: 'most active users', metrics: [COUNTS], buckets: [USERS], rows: 10 });
}

interface Table {
  readonly name: string;
  readonly metrics: readonly object[];
  readonly buckets: readonly object[];
  /** The number of rows of the answer. */
  readonly rows: number;
}

async function ask(
  { report, catalog, series, asked, questions }: StatisticsBench,
  { name, rows, ...table }: Table,
): Promise<void> {
  const title = `statistics: ${name}`;
  const started = report.begin(title);
  const values = Array.from({ length: asked.entities }, (_, at) => usedUrn(at));
  const firstMs = String(series.lastMs - (asked.days - 1) * DAY_MS);
  const criteria = [
    { field: 'urn', values },
    { field: 'timestampMillis', condition: 'GREATER_THAN_OR_EQUAL_TO', value: firstMs },
  ];
  const times: number[] = [];
  const start = performance.now();
  for (let at = 0; at < questions; at++) {
    const sentAt = performance.now();
    const answer = await callAction(catalog, '/analytics?action=getTimeseriesStats', {
      entityName: 'dataset',
      aspectName: 'datasetUsageStatistics',
      filter: { or: [{ and: criteria }] },
      ...table,
    });
    times.push(performance.now() - sentAt);
    const { length } = (answer as { readonly table: { readonly rows: readonly unknown[] } }).table.rows;
    if (length !== rows) throw new Error(`${title}: ${String(length)} rows instead of ${String(rows)}`);
  }
  const { count, ...latencies } = toLatencies(times);
  report.add(started, {
    case: title,
    sizes: { unit: 'reads', ...asked, stored: series.entities * series.days, reads: count },
    seconds: (performance.now() - start) / 1000,
    ...latencies,
    goals: [{ of: 'p95Ms', atMost: 300 }],
  });
}
