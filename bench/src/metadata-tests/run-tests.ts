import type { BenchOptions } from '../bench-options';
import { DistributedCatalog } from '../distributed/distributed-catalog';
import { startServers } from '../distributed/servers';
import type { BenchRun } from '../processes/bench-run';
import type { Report } from '../report/report';
import { waitForTask } from '../restore/wait-for-task';
import { loadDatasets } from '../search/run-search';
import { BenchCatalog } from '../serve/catalog';
import { callAction } from '../timeseries/call-action';
import { DatasetGenerator } from '../workload/dataset-generator';
import { defineTests } from './define-tests';
import { measureFollowing } from './measure-following';

/** The goal: an evaluation of 10,000 entities by 20 tests, on two cores. */
const GOAL_SECONDS = 10;
const CATCH_UP_SECONDS = 300;

/** Loads datasets, evaluates twenty tests for all of them by a task, and measures how late results follow single changes. */
export async function runTests(
  run: BenchRun,
  report: Report,
  { quick, profileFolder }: BenchOptions,
): Promise<void> {
  const count = quick ? 500 : 10_000;
  const dataDir = run.newDataDir('catalog');
  await loadDatasets(run, report, { dataDir, count });
  const serve = { dataDir, indexing: true, isOperated: true };
  const catalog = await BenchCatalog.start(run, serve, profileFolder);
  await catalog.ready();
  const tests = await defineTests(catalog);
  for (const name of ['every result is new', 'no result is new']) {
    await catalog.commands.call('catchUp', { seconds: CATCH_UP_SECONDS });
    const started = report.begin(`evaluating, ${name}`);
    const { seconds, cpuCores } = await catalog.watching(name, () => evaluateAll(catalog));
    report.add(started, {
      case: `evaluate tests, ${name}`,
      sizes: { unit: 'entities', entities: count, tests },
      seconds,
      rate: count / seconds,
      ...(cpuCores === undefined ? {} : { cpuCores }),
      goals: quick ? [] : [{ of: 'seconds', atMost: GOAL_SECONDS }],
    });
  }
  await catalog.stop();
  const following = await BenchCatalog.start(run, { ...serve, followsTests: true }, profileFolder);
  await following.ready();
  await measureFollowing(report, following, listDatasets(quick));
}

/** Measures how late results follow single changes, through Kafka. */
export async function runDistributedTests(
  run: BenchRun,
  report: Report,
  { quick }: BenchOptions,
): Promise<void> {
  report.begin('starting');
  const servers = await startServers(run, report);
  const catalog = await DistributedCatalog.start(run, servers, 1, {
    STRATALOG_AUTH: 'none',
    STRATALOG_TEST_RESULTS: 'continuous',
  });
  await defineTests(catalog);
  await measureFollowing(report, catalog, listDatasets(quick));
}

function listDatasets(quick: boolean): readonly string[] {
  const datasets = new DatasetGenerator();
  return Array.from({ length: quick ? 10 : 300 }, (_, index) => datasets.at(index).urn);
}

async function evaluateAll(catalog: BenchCatalog): Promise<{ readonly seconds: number }> {
  const start = performance.now();
  const { task } = (await callAction(catalog, '/test?action=evaluateAll', {})) as { readonly task: string };
  await waitForTask(catalog, task);
  return { seconds: (performance.now() - start) / 1_000 };
}
