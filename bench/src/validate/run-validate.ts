import { join } from 'node:path';
import { ROOT, toLatencies } from '@stratalog/harness';
import type { Proposal } from '@stratalog/domain';
import { checkProposal, loadModel, type EntityRegistry } from '@stratalog/registry';
import type { BenchRun } from '../processes/bench-run';
import type { Report } from '../report/report';
import { DatasetGenerator } from '../workload/dataset-generator';
import { makeProposals } from '../workload/make-proposals';
import type { LoadModelCommands } from './load-model-role';
import { makeSchemaProposal } from './schema-proposal';

const MODELS = join(ROOT, 'models');
/** Each start of a catalog loads once, in a new process. */
const STARTS = 9;
const DATASETS = 2_000;
const COLUMNS = 50;
const SECONDS = 3;

/**
 * Measures the model alone, on one core, without server or HTTP: reading it, and checking values against it.
 */
export async function runValidate(
  run: BenchRun,
  report: Report,
  { quick }: { readonly quick: boolean },
): Promise<void> {
  report.runsOn({ postgres: 'none', durability: 'none' });
  const registry = await loadModel({ folders: [MODELS] });
  await measureStarts(run, report, registry, quick ? 1 : STARTS);
  const generator = new DatasetGenerator();
  const datasets = Array.from({ length: quick ? 50 : DATASETS }, (_, at) => generator.at(at));
  const seconds = quick ? 0.1 : SECONDS;
  measureChecks(report, registry, {
    name: 'small aspects',
    proposals: datasets.flatMap(makeProposals),
    seconds,
    atLeast: 50_000,
  });
  measureChecks(report, registry, {
    name: `schemas of ${String(COLUMNS)} columns`,
    proposals: datasets.slice(0, 200).map((dataset) => makeSchemaProposal(dataset, COLUMNS)),
    seconds,
  });
}

/**
 * Measures the time and memory that the model adds to each start: no code is compiled yet, and only the files
 * are in the system's cache.
 */
async function measureStarts(
  run: BenchRun,
  report: Report,
  registry: EntityRegistry,
  starts: number,
): Promise<void> {
  const started = report.begin('loading the model in a new process');
  const times: number[] = [];
  const cpuTimes: number[] = [];
  let residentMb = 0;
  for (let start = 0; start < starts; start++) {
    const worker = await run.start<LoadModelCommands>('load-model', {});
    const figures = await worker.call('load', {});
    await worker.stop();
    times.push(figures.tookMs);
    cpuTimes.push(figures.cpuMs);
    residentMb = Math.max(residentMb, figures.residentMb);
  }
  const { p50Ms, maxMs } = toLatencies(times);
  report.add(started, {
    case: 'loading the model in a new process',
    sizes: {
      starts,
      entityTypes: registry.entityTypes.length,
      aspects: registry.aspects.length,
      types: registry.types.length,
      cpuMs: Math.round(toLatencies(cpuTimes).p50Ms),
    },
    seconds: times.reduce((sum, time) => sum + time, 0) / 1000,
    p50Ms,
    maxMs,
    residentMb: { node: residentMb, postgres: 0, total: residentMb },
    goals: [
      { of: 'p50Ms', atMost: 300 },
      { of: 'residentMb', atMost: 50 },
    ],
  });
}

interface CheckCase {
  readonly name: string;
  readonly proposals: readonly Proposal[];
  readonly seconds: number;
  readonly atLeast?: number;
}

/**
 * Measures from a proposal's JSON text to its canonical text, urn and key included, like the ingest stage.
 */
function measureChecks(report: Report, registry: EntityRegistry, checks: CheckCase): void {
  const { name, proposals, seconds, atLeast } = checks;
  const started = report.begin(name);
  checkAll(registry, proposals);
  const start = performance.now();
  let checked = 0;
  while (performance.now() - start < seconds * 1000) checked += checkAll(registry, proposals);
  const took = (performance.now() - start) / 1000;
  const bytes = proposals.reduce((sum, { value = '' }) => sum + value.length, 0) / proposals.length;
  report.add(started, {
    case: name,
    sizes: { unit: 'aspects', bytesEach: Math.round(bytes) },
    seconds: took,
    rate: checked / took,
    ...(atLeast === undefined ? {} : { goals: [{ of: 'rate', atLeast }] }),
  });
}

function checkAll(registry: EntityRegistry, proposals: readonly Proposal[]): number {
  for (const proposal of proposals) {
    const check = checkProposal(registry, proposal);
    if ('rejection' in check) throw new Error(check.rejection);
  }
  return proposals.length;
}
