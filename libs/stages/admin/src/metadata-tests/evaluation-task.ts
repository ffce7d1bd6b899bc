import type { JsonObject } from '@stratalog/json';
import { inParallel } from '@stratalog/concurrency';
import {
  defineTaskKind,
  type TaskKind,
  type TaskKindDefinition,
  type TaskStanding,
  type TaskStep,
} from '@stratalog/tasks';
import * as z from 'zod';
import type { PushDeps } from './results/push-results';
import { joinPushed, pushResultsTogether, type PushedEntity } from './results/push-results-together';
import { countSelected, readPage, type SelectionDeps } from './select-entities';
import type { StoredTest } from './test-library';
import { writeCounts, type OutcomeCounts } from './results/write-counts';

/** The task that evaluates everything again and again. */
export const REFRESH_TEST_RESULTS = 'refresh-test-results';
const EVERYTHING = { tests: null, entityTypes: null, urns: null, query: null, dryRun: false, position: null };

export type EvaluationTaskDeps = PushDeps & SelectionDeps;

const NAMES = z.array(z.string()).nullable();
const SEQS = z.record(z.string(), z.number());

const PARAMETERS = z.object({
  /** Urns of tests; null: every test of the catalog at each step. */
  tests: NAMES,
  /** Names of entity types; null: every type with results. */
  entityTypes: NAMES,
  /** Urns of entities, each once and in byte order; null: every entity of the types. */
  urns: NAMES,
  /** Only entities of the types that this search finds; null, and absent in a task of an older program: all. */
  query: z.string().nullable().default(null),
  /** True: nothing is written. */
  dryRun: z.boolean().default(false),
  /** Where the change log had the change for which the task was made, so that a later change is another task; null: requested. */
  position: SEQS.nullable(),
});
export type EvaluationParameters = z.infer<typeof PARAMETERS>;

const COUNTS = z.object({ passing: z.number(), failing: z.number(), error: z.number() });
const CHECKPOINT = z.object({
  /** When the evaluation began: epoch milliseconds. */
  beganMs: z.number(),
  /** Everything that the store had when the evaluation began; of an older program it is not known. */
  sequences: SEQS.default({}),
  /** Number of entity types that are done; of a list of urns and with a query, 0. */
  at: z.number(),
  /** The last urn of the current one. */
  after: z.string().nullable(),
  /** Numbers of entities that were there, and of those that got other results. */
  evaluated: z.number(),
  written: z.number(),
  counts: z.record(z.string(), COUNTS),
  /** Patches of actions, by the urn of their test. */
  patches: z.record(z.string(), z.number()).default({}),
});
type Checkpoint = z.infer<typeof CHECKPOINT>;

/** Entities of one step at most, and evaluations: an entity at a test. So many take about two seconds. */
const MAX_PAGE = 2_000;
const PAGE_EVALUATIONS = 40_000;
/**
 * A step has a two-hundredth of all entities, so that a crash repeats less than a hundredth. In a small catalog that would be so few
 * that their writes do not keep the process busy: there a step has what takes less than a second.
 */
const STEPS = 200;
const MIN_PAGE = 1_000;
/** Entities that are evaluated together. */
const PART = 125;
/**
 * A step evaluates some parts of its entities while it writes the results of others. Indexers take in the results at the same time:
 * with two parts they get half of the process.
 */
const AT_ONCE = 8;
const INDEX_POLL_MS = 200;

/**
 * Makes the kind of task that evaluates tests for a selection of entities or for all, and writes the results as `push` does.
 *
 * The tests are read again at each step, so the outcome of an entity is never that of a definition from before the task.
 *
 * **Order and repeats**: by entity type and urn. A crash repeats one step, which finds its results written: less than a hundredth of
 * the entities, or of fewer than 100,000 at most 1,000.
 */
export function evaluationTask(deps: EvaluationTaskDeps): TaskKind<EvaluationParameters> {
  return defineTaskKind({ name: 'evaluate-tests', ...evaluating(deps) });
}

/** Makes the kind of task that evaluates tests again that were changed. It is of a kind of its own, so that requested evaluations do not queue behind it. */
export function changedTestsTask(deps: EvaluationTaskDeps): TaskKind<EvaluationParameters> {
  return defineTaskKind({ name: 'evaluate-changed-tests', isOwn: true, ...evaluating(deps) });
}

function evaluating(
  deps: EvaluationTaskDeps,
): Omit<TaskKindDefinition<EvaluationParameters, Checkpoint>, 'name'> {
  return {
    parameters: PARAMETERS,
    checkpoint: CHECKPOINT,
    start: ({ parameters }) => start(deps, parameters),
    step: { alone: ({ parameters }, at) => step(deps, parameters, at) },
  };
}

/**
 * Makes the kind of task that evaluates everything as time passes: some tests depend on it, and others read more behind references than
 * is followed. It is of a kind of its own, so that requested evaluations do not put it off.
 */
export function refreshTask(deps: EvaluationTaskDeps): TaskKind<Record<string, never>> {
  return defineTaskKind({
    name: REFRESH_TEST_RESULTS,
    isOwn: true,
    parameters: z.object({}).strict(),
    checkpoint: CHECKPOINT,
    start: () => start(deps, EVERYTHING),
    step: { alone: (_, at) => step(deps, EVERYTHING, at) },
  });
}

async function start(
  deps: EvaluationTaskDeps,
  parameters: EvaluationParameters,
): Promise<TaskStanding<Checkpoint>> {
  const total = await countSelected(deps, parameters);
  const sequences = Object.fromEntries(await deps.store.readPartitionSequences());
  return {
    checkpoint: {
      beganMs: deps.clock.now(),
      sequences,
      at: 0,
      after: null,
      evaluated: 0,
      written: 0,
      counts: {},
      patches: {},
    },
    progress: { done: 0, ...(total === undefined ? {} : { total }) },
  };
}

async function step(
  deps: EvaluationTaskDeps,
  parameters: EvaluationParameters,
  { checkpoint, progress }: TaskStanding<Checkpoint>,
): Promise<TaskStep<Checkpoint>> {
  const { testLibrary } = deps;
  const named = parameters.tests ?? undefined;
  const tests = await (named === undefined ? testLibrary.readAll() : testLibrary.read(named));
  const count = limitPage(progress.total, tests.length);
  const page = await readPage(deps, parameters, { ...checkpoint, count });
  if (page === 'behind') return { kind: 'wait', pauseMs: INDEX_POLL_MS };
  if (page === 'end') {
    await writeCountsOfAll(deps, { parameters, checkpoint, tests });
    return {
      kind: 'completed',
      // Entities that came meanwhile are counted too.
      progress: { ...progress, total: progress.done },
      outcome: describeOutcome(checkpoint),
    };
  }
  const { urns, at, after, total = progress.total } = page;
  const parts = Array.from({ length: Math.ceil(urns.length / PART) }, (_, part) =>
    urns.slice(part * PART, (part + 1) * PART),
  );
  const results = await inParallel(parts, AT_ONCE, (part) =>
    pushResultsTogether(deps, {
      entities: part.map((urn) => ({ urn, tests })),
      named,
      dryRun: parameters.dryRun,
    }),
  );
  const { pushed, written, patches } = joinPushed(results);
  const done = progress.done + urns.length;
  return {
    kind: 'next',
    checkpoint: {
      ...checkpoint,
      at,
      after,
      evaluated: checkpoint.evaluated + pushed.length,
      written: checkpoint.written + written,
      counts: addCounts(checkpoint.counts, tests, pushed),
      patches: addPatches(checkpoint.patches, patches),
    },
    progress: total === undefined ? { done } : { done, total: Math.max(total, done) },
  };
}

/** Decides how many entities the next step has. */
function limitPage(total: number | undefined, tests: number): number {
  const share = Math.max(MIN_PAGE, Math.floor((total ?? 0) / STEPS));
  return Math.max(1, Math.min(MAX_PAGE, share, Math.floor(PAGE_EVALUATIONS / Math.max(1, tests))));
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

function addPatches(
  before: Readonly<Record<string, number>>,
  patches: ReadonlyMap<string, number>,
): Record<string, number> {
  const sums = { ...before };
  for (const [test, count] of patches) sums[test] = (sums[test] ?? 0) + count;
  return sums;
}

/** Writes how many entities have each outcome, of the tests that still exist, unless only some entities were evaluated. */
async function writeCountsOfAll(
  deps: PushDeps,
  {
    parameters: { urns, entityTypes, query, dryRun },
    checkpoint: { beganMs, counts },
    tests,
  }: {
    readonly parameters: EvaluationParameters;
    readonly checkpoint: Checkpoint;
    readonly tests: readonly StoredTest[];
  },
): Promise<void> {
  if (dryRun || urns !== null || entityTypes !== null || query !== null) return;
  const counted = tests.flatMap(({ urn, keyVersion }) => {
    const own = counts[urn];
    return own === undefined ? [] : [{ urn, keyVersion, ...own }];
  });
  await writeCounts(deps, beganMs, counted);
}

function describeOutcome({ evaluated, written, counts, patches }: Checkpoint): JsonObject {
  const tests = Object.entries(counts).map(([test, each]) => ({ test, ...each }));
  const sum = (kind: keyof OutcomeCounts): number => tests.reduce((total, each) => total + each[kind], 0);
  return {
    evaluated,
    written,
    passing: sum('passing'),
    failing: sum('failing'),
    error: sum('error'),
    tests,
    patches: Object.entries(patches).map(([test, count]) => ({ test, count })),
  };
}
