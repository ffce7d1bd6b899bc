import { READ_CONNECTIONS } from '../ingest/ingest-sizes';
import type { BenchOptions } from '../bench-options';
import { measured } from '../ingest/write-cases';
import { VERSIONS_PER_PAGE, type HistoryRead } from '../load/history-reads';
import type { LoadCommands } from '../load/load';
import type { BenchRun } from '../processes/bench-run';
import type { Goal } from '../report/measurement';
import type { Report } from '../report/report';
import { BenchCatalog } from '../serve/catalog';
import { READ_FULL, READ_QUICK } from './read-sizes';

interface ReadCase {
  readonly name: string;
  readonly target: string;
  /**
   * Reads a second of the paced measurement: it shows a reader's latency, where full speed shows the length
   * of the queue.
   */
  readonly rate: number;
  /** At that rate. */
  readonly goals: readonly Goal[];
}

const TIMESERIES_VALUE_GOAL: readonly Goal[] = [{ of: 'p99Ms', atMost: 5 }];

const CASES: Readonly<Record<HistoryRead, ReadCase>> = {
  entity: {
    name: 'entity of 10 aspects',
    target: 'GET /entitiesV2/<urn>',
    rate: 1_000,
    goals: TIMESERIES_VALUE_GOAL,
  },
  version: {
    name: 'version in a history',
    target: 'GET /aspects/<urn>?aspect=&version=',
    rate: 1_000,
    goals: TIMESERIES_VALUE_GOAL,
  },
  range: {
    name: `range of ${String(VERSIONS_PER_PAGE)} versions`,
    target: 'GET /aspects/<urn>?aspect=&startVersion=&endVersion=',
    rate: 200,
    goals: [],
  },
  asOf: {
    name: 'entity as it was',
    target: 'GET /entitiesV2/<urn>?asOf=',
    rate: 500,
    goals: [],
  },
};

/**
 * Measures reads of entities with ten aspects, of which one has a long history. Nothing is indexed, and there
 * are no writes.
 */
export async function runRead(run: BenchRun, report: Report, options: BenchOptions): Promise<void> {
  report.begin('starting');
  const sizes = options.quick ? READ_QUICK : READ_FULL;
  const dataDir = run.newDataDir('plain');
  const [load, catalog] = await Promise.all([
    run.start<LoadCommands>('load', {}),
    BenchCatalog.start(run, { dataDir, indexing: false }, options.profileFolder),
  ]);
  await catalog.ready();
  report.runsOn(catalog.serverProgram);
  const { entities, versions } = sizes;
  report.begin(
    `writing ${String(entities)} entities with ten aspects, one of them ${String(versions)} times`,
  );
  const histories = await load.call('writeHistories', { url: catalog.url, entities, versions });
  for (const [kind, { name, target, rate: limit, goals }] of Object.entries(CASES) as [
    HistoryRead,
    ReadCase,
  ][]) {
    for (const rate of [limit, undefined]) {
      const title = `${name}, ${rate === undefined ? 'at full speed' : `at ${String(rate)}/s`}`;
      const started = report.begin(title);
      const reads = { url: catalog.url, histories, kind, connections: READ_CONNECTIONS };
      await load.call('readHistories', { ...reads, seconds: sizes.warmSeconds });
      const figures = await catalog.watching(title, () =>
        load.call('readHistories', {
          ...reads,
          seconds: sizes.readSeconds,
          ...(rate === undefined ? {} : { rate }),
        }),
      );
      report.add(started, {
        case: title,
        sizes: { unit: 'reads', connections: READ_CONNECTIONS, what: target, entities, versions },
        ...measured(figures),
        goals: rate === undefined ? [] : goals,
      });
    }
  }
}
