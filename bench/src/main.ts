import { mkdirSync } from 'node:fs';
import { answerUsage } from '@stratalog/local-stack';
import { parseArguments, type BenchArguments } from './arguments';
import { runDistributedIngest } from './distributed/run-distributed-ingest';
import { runDistributedSearch } from './distributed/run-distributed-search';
import { runPipeline } from './distributed/run-pipeline';
import { firstAnswer } from './first-answer/first-answer';
import { floor } from './floor/floor';
import { edgeTable } from './graph/edge-table';
import { runGraph } from './graph/run-graph';
import { runGraphql } from './graphql/run-graphql';
import { runIndexing } from './ingest/run-indexing';
import { runIngest } from './ingest/run-ingest';
import { runShapes } from './ingest/run-shapes';
import { load } from './load/load';
import { runTimeseriesValues } from './timeseries/run-timeseries';
import { BenchRun } from './processes/bench-run';
import { runDistributedTests, runTests } from './metadata-tests/run-tests';
import { runRead } from './read/run-read';
import { runPages } from './pages/run-pages';
import { recordMeasurements } from './report/record-measurements';
import { Report } from './report/report';
import { runRestore } from './restore/run-restore';
import { runSearch } from './search/run-search';
import { loadModelRole } from './validate/load-model-role';
import { runValidate } from './validate/run-validate';

async function main([role = '', argument = '{}']: readonly string[]): Promise<void> {
  // The roles in which a bench starts itself; they are useless by hand, because they take commands from their
  // parent only.
  if (process.send !== undefined) {
    // A Ctrl-C in the terminal reaches every process of the group; the command to end comes from the parent.
    process.on('SIGINT', () => undefined);
    switch (role) {
      case 'load':
        load();
        return;
      case 'floor':
        return floor(JSON.parse(argument) as { dataDir: string });
      case 'edge-table':
        return edgeTable(JSON.parse(argument) as { dataDir: string });
      case 'load-model':
        loadModelRole();
        return;
      default:
    }
  }
  const parsed = parseArguments(process.argv.slice(2));
  switch (parsed.kind) {
    case 'bench':
      return bench(parsed);
    case 'record':
      process.stderr.write(`recorded ${String(recordMeasurements(parsed.file))} measurements\n`);
      return;
    case 'usage':
      process.exitCode = answerUsage(parsed);
      return;
    default:
      parsed satisfies never;
  }
}

async function bench(options: BenchArguments): Promise<void> {
  if (options.profileFolder !== undefined) mkdirSync(options.profileFolder, { recursive: true });
  await BenchRun.within(options, async (run) => {
    const report = new Report(
      options.distributed ? `${options.bench} distributed` : options.bench,
      run.folder,
    );
    switch (options.bench) {
      case 'ingest':
        await ingest(run, report, options);
        break;
      case 'read':
        await runRead(run, report, options);
        break;
      case 'search':
        await (options.distributed ? runDistributedSearch : runSearch)(run, report, options);
        break;
      case 'graph':
        await runGraph(run, report, options);
        break;
      case 'graphql':
        await runGraphql(run, report, options);
        break;
      case 'pipeline':
        await runPipeline(run, report, options);
        break;
      case 'timeseries':
        await runTimeseriesValues(run, report, options);
        break;
      case 'restore':
        await runRestore(run, report, options);
        break;
      case 'tests':
        await (options.distributed ? runDistributedTests : runTests)(run, report, options);
        break;
      case 'validate':
        await runValidate(run, report, options);
        break;
      case 'pages':
        await runPages(run, report, options);
        break;
      case 'first-answer':
        await firstAnswer(run, report);
        break;
      default:
        options.bench satisfies never;
    }
    report.finish();
  });
}

function ingest(run: BenchRun, report: Report, options: BenchArguments): Promise<void> {
  if (options.distributed) return runDistributedIngest(run, report, options);
  if (options.indexing) return runIndexing(run, report, options);
  return options.shapes.length > 0 ? runShapes(run, report, options) : runIngest(run, report, options);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
