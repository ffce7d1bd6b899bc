import { fileURLToPath } from 'node:url';
import type { Proposal } from '@stratalog/model';
import { checkProposal, loadModel, type EntityRegistry } from '@stratalog/registry';
import type { Report } from '../report/report';
import { DatasetGenerator } from '../workload/dataset-generator';
import { proposalsOf } from '../workload/proposals-of';
import { schemaProposalOf } from './schema-proposal';

const MODELS = fileURLToPath(new URL('../../models', import.meta.url));
/** Each start of a catalog loads once; the first also waits for the compiler, so several tell what a restart costs. */
const LOADS = 5;
const DATASETS = 2_000;
const COLUMNS = 50;
const SECONDS = 3;

/** The model alone, on one core, without server or HTTP: reading it, and checking values against it. */
export async function runValidate(report: Report, { quick }: { readonly quick: boolean }): Promise<void> {
  report.runsOn({ postgres: 'none', durability: 'none' });
  const registry = await measureLoads(report);
  const generator = new DatasetGenerator();
  const datasets = Array.from({ length: quick ? 50 : DATASETS }, (_, at) => generator.at(at));
  const seconds = quick ? 0.1 : SECONDS;
  measureChecks(report, registry, {
    name: 'small aspects',
    proposals: datasets.flatMap(proposalsOf),
    seconds,
    atLeast: 50_000,
  });
  measureChecks(report, registry, {
    name: `schemas of ${String(COLUMNS)} columns`,
    proposals: datasets.slice(0, 200).map((dataset) => schemaProposalOf(dataset, COLUMNS)),
    seconds,
  });
}

async function measureLoads(report: Report): Promise<EntityRegistry> {
  const begun = report.begin('loading the model');
  const times: number[] = [];
  let registry = await loadModel({ folders: [MODELS] });
  const before = usedMb();
  for (let load = 0; load < LOADS; load++) {
    const start = performance.now();
    registry = await loadModel({ folders: [MODELS] });
    times.push(performance.now() - start);
  }
  const p50Ms = times.sort((a, b) => a - b)[Math.floor(LOADS / 2)] ?? 0;
  report.add(begun, {
    case: 'loading the model',
    sizes: {
      entityTypes: registry.entityTypes.length,
      aspects: registry.aspects.length,
      heapMbBeforeAndAfter: `${String(before)} ${String(usedMb())}`,
    },
    seconds: times.reduce((sum, time) => sum + time, 0) / 1000,
    p50Ms,
    goals: [{ of: 'p50Ms', atMost: 300 }],
  });
  return registry;
}

function usedMb(): number {
  return Math.round(process.memoryUsage().heapUsed / 1e6);
}

interface CheckCase {
  readonly name: string;
  readonly proposals: readonly Proposal[];
  readonly seconds: number;
  readonly atLeast?: number;
}

/** From a proposal's JSON text to its canonical text, urn and key included: what ingest does with each. */
function measureChecks(report: Report, registry: EntityRegistry, checks: CheckCase): void {
  const { name, proposals, seconds, atLeast } = checks;
  const begun = report.begin(name);
  checkAll(registry, proposals);
  const start = performance.now();
  let checked = 0;
  while (performance.now() - start < seconds * 1000) checked += checkAll(registry, proposals);
  const took = (performance.now() - start) / 1000;
  const bytes = proposals.reduce((sum, { value = '' }) => sum + value.length, 0) / proposals.length;
  report.add(begun, {
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
    if ('refusal' in check) throw new Error(check.refusal);
  }
  return proposals.length;
}
