import { join } from 'node:path';
import { ROOT, until } from '@stratalog/harness';
import { distance, type Proposal } from '@stratalog/domain';
import type { AspectRef } from '@stratalog/ports';
import { createLogger, parseSettings, run, type CatalogStage, type RunningCatalog } from '@stratalog/runtime';
import { adminStage } from '@stratalog/stages-admin';
import { graphStage } from '@stratalog/stages-graph';
import { indexerStage } from '@stratalog/stages-indexer';
import { ingestStage } from '@stratalog/stages-ingest';
import { queryStage } from '@stratalog/stages-query';
import { writerStage } from '@stratalog/stages-writer';
import { answerCommands } from '../processes/answer-commands';
import { DatasetGenerator } from '../workload/dataset-generator';
import { lineageProposals, type LineageSizes } from '../workload/lineage-generator';
import {
  toTimeseriesValues,
  toUsageValues,
  type Series,
  type UsageSeries,
} from '../workload/make-timeseries';
import { makeProposals } from '../workload/make-proposals';
import { CpuProfile } from './cpu-profile';
import { loadThroughLog, type Loaded } from './load-through-log';
import { searchDirectly, type DirectSearch } from './search-directly';

export interface ServeOptions {
  readonly dataDir: string;
  /**
   * Without indexer and graph nothing is searchable, and writing has the machine for itself. `graph`: the graph without
   * the search index.
   */
  readonly indexing: boolean | 'graph';
  /** With the calls of operators, without a token. */
  readonly isOperated?: boolean;
  /** Metadata tests are evaluated after changes. */
  readonly followsTests?: boolean;
}

interface CatchUp {
  /** The lag of the index in changes of the store, at first and at the end. */
  readonly behind: number;
  readonly left: number;
  readonly seconds: number;
}

/** The commands of a catalog process in addition to HTTP. */
export interface ServeCommands {
  url(): Promise<string>;
  /** Waits until every stage is ready; `seconds` counts from the start of the first one. */
  ready(): Promise<{ readonly seconds: number }>;
  loadDatasets(argument: { readonly count: number }): Promise<Loaded>;
  loadTimeseriesValues(series: Series): Promise<Loaded>;
  loadLineage(sizes: LineageSizes): Promise<Loaded>;
  loadUsage(series: UsageSeries): Promise<Loaded>;
  /** Waits until the index has every change of the store, or until the time limit. */
  catchUp(argument: { readonly seconds: number }): Promise<CatchUp>;
  /** Counts the aspects that the store has, those that the catalog adds to each entity too. */
  countAspects(): Promise<number>;
  searchDirectly(argument: { readonly inputs: readonly string[] }): Promise<readonly DirectSearch[]>;
  startProfile(): Promise<void>;
  stopProfile(argument: { readonly file: string }): Promise<void>;
}

const CATCH_UP_POLL_MS = 20;
const EVERYTHING = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, start: 0, limit: 10_000 };
const MODELS = join(ROOT, 'models');

/** The catalog of `npm start`, in a process of the bench. */
export async function serve({
  dataDir,
  indexing,
  isOperated = false,
  followsTests = false,
}: ServeOptions): Promise<void> {
  process.setSourceMapsEnabled(true);
  const settings = parseSettings({
    STRATALOG_DATA_DIR: dataDir,
    STRATALOG_PORT: '0',
    STRATALOG_LOG_LEVEL: 'warn',
    ...(isOperated ? { STRATALOG_AUTH: 'none' } : {}),
    ...(followsTests ? { STRATALOG_TEST_RESULTS: 'continuous' } : {}),
  });
  const stages: readonly CatalogStage[] = [
    ingestStage,
    queryStage,
    writerStage,
    ...(indexing === true ? [indexerStage] : []),
    ...(indexing === false ? [] : [graphStage]),
    ...(isOperated ? [adminStage] : []),
  ];
  const catalog = await run({ settings, stages, modelFolders: [MODELS], logger: createLogger(settings) });
  const start = performance.now();
  // The error of a failed start goes to the caller of `ready`.
  const ready = catalog.ready.then(() => (performance.now() - start) / 1000);
  ready.catch(() => undefined);
  const profile = new CpuProfile();
  answerCommands<ServeCommands>({
    commands: {
      url: () => Promise.resolve(catalog.url),
      ready: async () => ({ seconds: await ready }),
      loadDatasets: ({ count }) => loadThroughLog(catalog, datasetProposals(count)),
      loadLineage: (sizes) => loadThroughLog(catalog, lineageProposals(sizes)),
      loadTimeseriesValues: (series) => loadThroughLog(catalog, toTimeseriesValues(series)),
      loadUsage: (series) => loadThroughLog(catalog, toUsageValues(series)),
      catchUp: ({ seconds }) => catchUp(catalog, seconds),
      countAspects: () => countAspects(catalog),
      searchDirectly: ({ inputs }) => searchDirectly(catalog.deps, inputs),
      startProfile: () => profile.start(),
      stopProfile: ({ file }) => profile.stop(file),
    },
    end: () => catalog.stop(),
    dataDir,
  });
}

function* datasetProposals(count: number): Generator<Proposal> {
  const datasets = new DatasetGenerator();
  for (let index = 0; index < count; index++) yield* makeProposals(datasets.at(index));
}

async function catchUp({ deps }: RunningCatalog, limitSeconds: number): Promise<CatchUp> {
  const start = performance.now();
  const behind = await backlog(deps);
  let left = behind;
  const isDone = async (): Promise<boolean> => (left = await backlog(deps)) === 0;
  await until(isDone, { limitMs: limitSeconds * 1000, pollMs: CATCH_UP_POLL_MS });
  return { behind, left, seconds: (performance.now() - start) / 1000 };
}

async function countAspects({ deps }: RunningCatalog): Promise<number> {
  let count = 0;
  for (let after: AspectRef | undefined; ;) {
    const page = await deps.latest.listAspects({ ...EVERYTHING, after });
    count += page.length;
    after = page.at(-1);
    if (after === undefined) return count;
  }
}

async function backlog({ store, searchIndexes }: RunningCatalog['deps']): Promise<number> {
  const index = await searchIndexes.live();
  return distance(
    (await index?.position()) ?? new Map<number, number>(),
    await store.readPartitionSequences(),
  );
}
