import { toLatencies } from '@stratalog/harness';
import type { BenchOptions } from '../bench-options';
import type { BenchRun } from '../processes/bench-run';
import type { Finding, Goal } from '../report/measurement';
import type { Report } from '../report/report';
import { BenchCatalog } from '../serve/catalog';
import { callAction } from './call-action';
import { measureBatches } from './measure-batches';
import { measureStatistics } from './measure-statistics';
import { MEASURED_URN, computeTimestamp, type Series } from '../workload/make-timeseries';

const MONTHS = 60;
const MONTH_MS = 2_629_800_000;
const DAY_MS = 86_400_000;
const RANGE = 1_000;
/** Values of the one table. */
const SERIES = 1_000_000;
/** Days of each other table, when there are more values. */
const FILLED_DAYS = 900;

/**
 * Measures timeseries values of one table over five years: writing them, reading the latest and ranges, deleting them;
 * and the usage of many tables: writing it in batches, statistics of it.
 */
export async function runTimeseriesValues(
  run: BenchRun,
  report: Report,
  { quick, timeseriesValues = SERIES }: BenchOptions,
): Promise<void> {
  const lastMs = Date.now();
  const series = { timeseriesValues: quick ? 5_000 : SERIES, firstMs: lastMs - MONTHS * MONTH_MS, lastMs };
  const questions = quick ? 10 : 300;
  const catalog = await BenchCatalog.start(run, { dataDir: run.newDataDir('timeseries'), indexing: false });
  await catalog.ready();
  report.runsOn(catalog.serverProgram);
  const bench = { report, catalog, series };
  await write(bench);
  const asked = quick ? { entities: 20, days: 30 } : { entities: 1_000, days: 30 };
  const others = timeseriesValues - SERIES;
  const used = others > 0 ? { entities: others / FILLED_DAYS, days: FILLED_DAYS } : asked;
  const lastDayMs = Math.floor(lastMs / DAY_MS) * DAY_MS;
  await measureStatistics({
    report,
    catalog,
    series: { ...used, lastMs: lastDayMs },
    asked,
    questions: quick ? 3 : 100,
  });
  const batched = quick ? { entities: 20, days: 30 } : { entities: 1_000, days: 100 };
  await measureBatches({ report, catalog, series: { ...batched, lastMs: lastDayMs - used.days * DAY_MS } });
  // With all other values stored.
  await ask(bench, { name: 'latest value', questions, parameters: () => ({ latestValue: true }), found: 1 });
  await ask(bench, {
    name: `range of ${String(RANGE)} timeseries values`,
    questions,
    parameters: toRange,
    found: RANGE,
    goals: [{ of: 'p95Ms', atMost: 20 }],
  });
  await remove(bench, {
    name: 'delete the first tenth',
    body: {
      aspectName: 'datasetProfile',
      endTimeMillis: computeTimestamp(series, series.timeseriesValues / 10) - 1,
    },
    timeseriesValues: series.timeseriesValues / 10,
  });
  await remove(bench, {
    name: 'delete the entity with the rest',
    body: {},
    timeseriesValues: series.timeseriesValues - series.timeseriesValues / 10,
  });
}

interface TimeseriesBench {
  readonly report: Report;
  readonly catalog: BenchCatalog;
  readonly series: Series;
}

async function write({ report, catalog, series }: TimeseriesBench): Promise<void> {
  const started = report.begin(`writing ${String(series.timeseriesValues)} timeseries values`);
  const { seconds, proposals, cpuCores } = await catalog.watching('write timeseries values', () =>
    catalog.commands.call('loadTimeseriesValues', series),
  );
  report.add(started, {
    case: 'write timeseries values through the proposal log',
    sizes: { unit: 'timeseries', timeseriesValues: proposals, months: MONTHS },
    seconds,
    rate: proposals / seconds,
    ...(cpuCores === undefined ? {} : { cpuCores }),
  });
}

interface Query {
  readonly name: string;
  readonly questions: number;
  readonly parameters: (series: Series, at: number) => object;
  /** The number of values in each answer. */
  readonly found: number;
  readonly goals?: readonly Goal[];
}

/** Sends one query after another over HTTP, and reads each answer whole. */
async function ask(
  { report, catalog, series }: TimeseriesBench,
  { name, questions, parameters, found, goals = [] }: Query,
): Promise<void> {
  const started = report.begin(name);
  const times: number[] = [];
  const start = performance.now();
  for (let at = 0; at < questions; at++) {
    const asked = performance.now();
    const value = await callAction(catalog, '/aspects?action=getTimeseriesAspectValues', {
      urn: MEASURED_URN,
      entity: 'dataset',
      aspect: 'datasetProfile',
      ...parameters(series, at),
    });
    times.push(performance.now() - asked);
    const { length } = (value as { readonly values: readonly unknown[] }).values;
    if (length !== found) throw new Error(`${name}: ${String(length)} values instead of ${String(found)}`);
  }
  const { count, ...latencies } = toLatencies(times);
  report.add(started, {
    case: name,
    sizes: { unit: 'reads', timeseriesValues: series.timeseriesValues, reads: count },
    seconds: (performance.now() - start) / 1000,
    ...latencies,
    goals,
  });
}

/** Makes ranges spread over the years. */
function toRange(series: Series, at: number): object {
  const from = (at * 7_919 * RANGE) % (series.timeseriesValues - RANGE);
  return { startTimeMillis: computeTimestamp(series, from), limit: RANGE };
}

interface Removal {
  readonly name: string;
  readonly body: object;
  readonly timeseriesValues: number;
}

async function remove(
  { report, catalog, series }: TimeseriesBench,
  { name, body, timeseriesValues }: Removal,
): Promise<void> {
  const started = report.begin(name);
  const start = performance.now();
  const answer = await callAction(catalog, '/entities?action=delete', { urn: MEASURED_URN, ...body });
  const seconds = (performance.now() - start) / 1000;
  const { timeseriesRows } = answer as { readonly timeseriesRows: number };
  if (timeseriesRows !== timeseriesValues) throw new Error(`${name}: ${String(timeseriesRows)} values went`);
  const finding: Finding = {
    case: name,
    sizes: { unit: 'timeseries', timeseriesValues: series.timeseriesValues, deleted: timeseriesValues },
    seconds,
    rate: timeseriesValues / seconds,
  };
  report.add(started, finding);
}
