import type { JsonObject } from '@stratalog/model';
import { inParallel } from '@stratalog/ports';
import { defineTaskKind, type TaskKind, type TaskStanding, type TaskStep } from '@stratalog/tasks';
import * as z from 'zod';
import { TEST_RESULTS } from './merge-results';
import type { PushDeps } from './push-results';
import { pushResultsTogether, type PushedEntity } from './push-results-together';
import type { StoredTest } from './test-library';
import { writeCounts, type OutcomeCounts } from './write-counts';

/** The task that evaluates everything again and again. */
export const REFRESH_TEST_RESULTS = 'refresh-test-results';
const EVERYTHING = { tests: null, entityTypes: null, urns: null, position: null };

const NAMES = z.array(z.string()).nullable();

const PARAMETERS = z.object({
  /** Urns of tests; null: every test of the catalog at each step. */
  tests: NAMES,
  /** Names of entity types; null: every type with results. */
  entityTypes: NAMES,
  /** Urns of entities, each once and in byte order; null: every entity of the types. */
  urns: NAMES,
  /** Where the change log had the change for which the task was made, so that a later change is another task; null: requested. */
  position: z.record(z.string(), z.number()).nullable(),
});
export type EvaluationParameters = z.infer<typeof PARAMETERS>;

const COUNTS = z.object({ passing: z.number(), failing: z.number(), error: z.number() });
const CHECKPOINT = z.object({
  /** When the evaluation began: epoch milliseconds. */
  beganMs: z.number(),
  /** Number of entity types that are done; of a list of urns, 0. */
  at: z.number(),
  /** The last urn of the current one. */
  after: z.string().nullable(),
  /** Numbers of entities that were there, and of those that got other results. */
  evaluated: z.number(),
  written: z.number(),
  counts: z.record(z.string(), COUNTS),
});
type Checkpoint = z.infer<typeof CHECKPOINT>;

/** Entities of one step at most, and evaluations: an entity at a test. */
const PAGE = 400;
const PAGE_EVALUATIONS = 40_000;
/** A step evaluates one part of its entities while it writes the results of another. */
const PARTS = 2;

/**
 * Makes the kind of task that evaluates tests for a selection of entities or for all, and writes the results as `push` does.
 *
 * The tests are read again at each step, so the outcome of an entity is never that of a definition from before the task.
 *
 * **Order and repeats**: by entity type and urn. A crash repeats one step, which finds its results written.
 */
export function evaluationTask(deps: PushDeps): TaskKind<EvaluationParameters> {
  return defineTaskKind({
    name: 'evaluate-tests',
    parameters: PARAMETERS,
    checkpoint: CHECKPOINT,
    start: ({ parameters }) => start(deps, parameters),
    step: { alone: ({ parameters }, at) => step(deps, parameters, at) },
  });
}

/**
 * Makes the kind of task that evaluates everything as time passes: some tests depend on it, and others read more behind references than
 * is followed. It is of a kind of its own, so that requested evaluations do not put it off.
 */
export function refreshTask(deps: PushDeps): TaskKind<Record<string, never>> {
  return defineTaskKind({
    name: REFRESH_TEST_RESULTS,
    parameters: z.object({}).strict(),
    checkpoint: CHECKPOINT,
    start: () => start(deps, EVERYTHING),
    step: { alone: (_, at) => step(deps, EVERYTHING, at) },
  });
}

async function start(deps: PushDeps, parameters: EvaluationParameters): Promise<TaskStanding<Checkpoint>> {
  return {
    checkpoint: { beganMs: deps.clock.now(), at: 0, after: null, evaluated: 0, written: 0, counts: {} },
    progress: { done: 0, total: await countSelected(deps, parameters) },
  };
}

async function step(
  deps: PushDeps,
  parameters: EvaluationParameters,
  { checkpoint, progress }: TaskStanding<Checkpoint>,
): Promise<TaskStep<Checkpoint>> {
  const { testLibrary } = deps;
  const named = parameters.tests ?? undefined;
  const tests = await (named === undefined ? testLibrary.readAll() : testLibrary.read(named));
  const count = Math.min(PAGE, Math.max(1, Math.floor(PAGE_EVALUATIONS / Math.max(1, tests.length))));
  const page = await readPage(deps, parameters, { ...checkpoint, count });
  const { total } = progress;
  if (page === undefined) {
    await writeCountsOfAll(deps, { parameters, checkpoint, tests });
    return {
      kind: 'completed',
      // Entities that came meanwhile are counted too.
      progress: { ...progress, ...(total === undefined ? {} : { total: progress.done }) },
      outcome: describeOutcome(checkpoint),
    };
  }
  const { urns, at, after } = page;
  const half = Math.ceil(urns.length / PARTS);
  const parts = [urns.slice(0, half), urns.slice(half)].filter((part) => part.length > 0);
  const results = await inParallel(parts, PARTS, (part) =>
    pushResultsTogether(deps, { entities: part.map((urn) => ({ urn, tests })), named }),
  );
  const pushed = results.flatMap((part) => part.pushed);
  const done = progress.done + urns.length;
  return {
    kind: 'next',
    checkpoint: {
      ...checkpoint,
      at,
      after,
      evaluated: checkpoint.evaluated + pushed.length,
      written: results.reduce((sum, part) => sum + part.written, checkpoint.written),
      counts: addCounts(checkpoint.counts, tests, pushed),
    },
    progress: total === undefined ? { done } : { done, total: Math.max(total, done) },
  };
}

interface Page extends Pick<Checkpoint, 'at' | 'after'> {
  readonly urns: readonly string[];
}

/** Reads the next urns, those of deleted entities among them. `undefined`: there are none. */
async function readPage(
  deps: PushDeps,
  { urns, ...selection }: EvaluationParameters,
  { at, after, count }: Pick<Checkpoint, 'at' | 'after'> & { readonly count: number },
): Promise<Page | undefined> {
  if (urns !== null) {
    const page = urns.filter((urn) => after === null || urn > after).slice(0, count);
    return page.length === 0 ? undefined : { urns: page, at, after: page.at(-1) ?? null };
  }
  const types = selectTypes(deps, selection);
  for (let type = at, last = after; type < types.length; type++, last = null) {
    const prefix = toPrefix(deps, types[type] ?? '');
    const listed = await deps.store.urnsAfter(last ?? prefix, count);
    const page = listed.filter((urn) => urn.startsWith(prefix));
    const next =
      page.length < count ? { at: type + 1, after: null } : { at: type, after: page.at(-1) ?? null };
    if (page.length > 0) return { urns: page, ...next };
  }
  return undefined;
}

async function countSelected(deps: PushDeps, { urns, ...selection }: EvaluationParameters): Promise<number> {
  if (urns !== null) return urns.length;
  let total = 0;
  for (const type of selectTypes(deps, selection)) {
    total += (await deps.store.urnsWith({ prefix: toPrefix(deps, type), start: 0, count: 0 })).total;
  }
  return total;
}

/** Every type with results, unless some are named: a test that is about others now has results of the former ones. */
function selectTypes(
  { registry }: PushDeps,
  { entityTypes }: Pick<EvaluationParameters, 'entityTypes'>,
): readonly string[] {
  return (
    entityTypes ??
    registry.entityTypes
      .filter(({ aspects }) => aspects.has(TEST_RESULTS))
      .map(({ name }) => name)
      .sort()
  );
}

function toPrefix({ registry }: PushDeps, entityType: string): string {
  return `urn:${registry.urnNamespace}:${entityType}:`;
}

/** Adds the outcomes of some entities. A test without any has counts of 0. */
function addCounts(
  counts: Readonly<Record<string, OutcomeCounts>>,
  tests: readonly StoredTest[],
  entities: readonly PushedEntity[],
): Record<string, OutcomeCounts> {
  const sums = new Map<string, { passing: number; failing: number; error: number }>();
  for (const [test, each] of Object.entries(counts)) sums.set(test, { ...each });
  for (const { urn } of tests) if (!sums.has(urn)) sums.set(urn, { passing: 0, failing: 0, error: 0 });
  for (const { reports } of entities) {
    for (const { test, outcome } of reports) {
      const sum = sums.get(test.urn);
      if (sum !== undefined && outcome.kind !== 'not-applicable') sum[outcome.kind]++;
    }
  }
  return Object.fromEntries(sums);
}

/** Writes how many entities have each outcome, of the tests that still exist, unless only some entities were evaluated. */
async function writeCountsOfAll(
  deps: PushDeps,
  {
    parameters: { urns, entityTypes },
    checkpoint: { beganMs, counts },
    tests,
  }: {
    readonly parameters: EvaluationParameters;
    readonly checkpoint: Checkpoint;
    readonly tests: readonly StoredTest[];
  },
): Promise<void> {
  if (urns !== null || entityTypes !== null) return;
  const counted = new Map<string, OutcomeCounts>();
  for (const { urn } of tests) {
    const own = counts[urn];
    if (own !== undefined) counted.set(urn, own);
  }
  await writeCounts(deps, beganMs, counted);
}

function describeOutcome({ evaluated, written, counts }: Checkpoint): JsonObject {
  const tests = Object.entries(counts).map(([test, each]) => ({ test, ...each }));
  const sum = (kind: keyof OutcomeCounts): number => tests.reduce((total, each) => total + each[kind], 0);
  return {
    evaluated,
    written,
    passing: sum('passing'),
    failing: sum('failing'),
    error: sum('error'),
    tests,
  };
}
