import { covers, parseSequences } from '@stratalog/domain';
import type { GraphIndex, GraphIndexVersions } from '@stratalog/ports';
import { findEntityType, type EntityRegistry } from '@stratalog/registry';
import {
  defineTaskKind,
  type TaskContext,
  type TaskKind,
  type TaskStanding,
  type TaskStep,
} from '@stratalog/tasks';
import * as z from 'zod';
import { listReferrers } from '../../list-referrers';
import { listBehind, type ChangedEntity } from './decide-evaluations';
import type { EntityTests } from '../evaluate-entity';
import type { PushDeps } from '../results/push-results';
import { pushResultsTogether } from '../results/push-results-together';
import type { StoredTest } from '../test-library';

export interface ReferrerEvaluationDeps extends PushDeps {
  readonly graphIndexes: GraphIndexVersions;
}

const SEQS = z.record(z.string(), z.number());

const PARAMETERS = z.object({
  /** The changed entities, and those of their aspects that changed. */
  changed: z.array(z.object({ urn: z.string(), aspectNames: z.array(z.string()) })),
  /** Where the change log had their changes. */
  position: SEQS,
});
export type ReferrerParameters = z.infer<typeof PARAMETERS>;

const CHECKPOINT = z.object({
  /** Everything that the store had when the task began: what the graph must have before it is asked for referrers. */
  sequences: SEQS,
  /** Number of changed entities that are done. */
  at: z.number(),
  written: z.number(),
});
type Checkpoint = z.infer<typeof CHECKPOINT>;

/** Most referrers of one changed entity at each step of a way. Others are evaluated by the next evaluation of everything. */
const MAX_REFERRERS = 1_000;
/** Entities that are evaluated together. */
const PAGE = 200;
const GRAPH_POLL_MS = 200;

/**
 * Makes the kind of task that evaluates tests again for the entities that refer to changed ones, directly or through others.
 *
 * It asks the graph for them, once that has everything that the store had when the task began. An entity that refers to the
 * changed one only since then was evaluated after the change.
 *
 * **Order and repeats**: a crash repeats one changed entity, whose referrers have their results then.
 */
export function referrerEvaluationTask(deps: ReferrerEvaluationDeps): TaskKind<ReferrerParameters> {
  return defineTaskKind({
    name: 'evaluate-referrers',
    isOwn: true,
    parameters: PARAMETERS,
    checkpoint: CHECKPOINT,
    start: async ({ parameters }) => ({
      checkpoint: {
        sequences: Object.fromEntries(await deps.store.readPartitionSequences()),
        at: 0,
        written: 0,
      },
      progress: { done: 0, total: parameters.changed.length },
    }),
    step: { alone: (context, at) => step(deps, { ...context, ...at }) },
  });
}

async function step(
  deps: ReferrerEvaluationDeps,
  { parameters, checkpoint, progress }: TaskContext<ReferrerParameters> & TaskStanding<Checkpoint>,
): Promise<TaskStep<Checkpoint>> {
  const { sequences, at, written } = checkpoint;
  const changed = parameters.changed[at];
  if (changed === undefined) {
    // The list of tasks shows work that was done.
    return { kind: 'completed', outcome: { changed: at, written }, isWithoutTrace: written === 0 };
  }
  const graph = await deps.graphIndexes.live();
  const isUsable = graph !== undefined && covers(await graph.position(), parseSequences(sequences));
  if (!isUsable) return { kind: 'wait', pauseMs: GRAPH_POLL_MS };
  const { entities, named, isCut } = await findTested(deps, graph, changed);
  let sum = written;
  for (let from = 0; from < entities.length; from += PAGE) {
    const page = { entities: entities.slice(from, from + PAGE), named };
    sum += (await pushResultsTogether(deps, page)).written;
  }
  return {
    kind: 'next',
    checkpoint: { sequences, at: at + 1, written: sum },
    progress: { ...progress, done: at + 1 },
    ...(isCut
      ? {
          log: [`only the first ${String(MAX_REFERRERS)} entities that lead to ${changed.urn} are evaluated`],
        }
      : {}),
  };
}

interface TestedReferrers {
  readonly entities: readonly EntityTests[];
  readonly named: readonly string[];
  readonly isCut: boolean;
}

/** Finds the entities whose tests read a changed aspect of another one, with these tests. */
async function findTested(
  { registry, testLibrary }: ReferrerEvaluationDeps,
  graph: GraphIndex,
  { urn, aspectNames }: ChangedEntity,
): Promise<TestedReferrers> {
  const testsByReferrer = new Map<string, Set<StoredTest>>();
  const named = new Set<string>();
  let isCut = false;
  for (const { via, tests } of groupByWay(await testLibrary.readAll(), aspectNames)) {
    const found = await walkBack(registry, graph, { urn, via });
    isCut ||= found.isCut;
    for (const referrer of found.urns) {
      const type = findEntityType(registry, referrer)?.name ?? '';
      const own = testsByReferrer.get(referrer) ?? new Set();
      for (const test of tests) {
        if (test.definition.kind === 'test' && test.definition.test.types.has(type)) own.add(test);
      }
      if (own.size > 0) testsByReferrer.set(referrer, own);
    }
    for (const test of tests) named.add(test.urn);
  }
  const entities = [...testsByReferrer].map(([referrer, tests]) => ({ urn: referrer, tests: [...tests] }));
  return { entities, named: [...named], isCut };
}

type Way = readonly (readonly string[])[];

/** Groups the tests that read one of the aspects by the ways on which they reach it. */
function groupByWay(
  tests: readonly StoredTest[],
  aspectNames: readonly string[],
): readonly { readonly via: Way; readonly tests: readonly StoredTest[] }[] {
  const ways = new Map<string, { readonly via: Way; readonly tests: StoredTest[] }>();
  for (const test of tests) {
    for (const { aspectName, via } of listBehind(test)) {
      if (!aspectNames.includes(aspectName)) continue;
      const key = JSON.stringify(via);
      const way = ways.get(key) ?? { via, tests: [] };
      if (!way.tests.includes(test)) way.tests.push(test);
      ways.set(key, way);
    }
  }
  return [...ways.values()];
}

/** Follows a way backwards, from its end to the entities at which it begins. */
async function walkBack(
  registry: EntityRegistry,
  graph: GraphIndex,
  { urn, via }: { readonly urn: string; readonly via: Way },
): Promise<{ readonly urns: ReadonlySet<string>; readonly isCut: boolean }> {
  let urns: ReadonlySet<string> = new Set([urn]);
  let isCut = false;
  for (const aspectNames of via.toReversed()) {
    const relationships = listRelationships(registry, aspectNames);
    const referrers = new Set<string>();
    for (const end of urns) {
      isCut = !(await addReferrers(graph, { urn: end, relationships }, referrers)) || isCut;
    }
    urns = referrers;
  }
  return { urns, isCut };
}

/** Adds the entities that refer to one. False: there are more than may be added. */
async function addReferrers(
  graph: GraphIndex,
  { urn, relationships }: { readonly urn: string; readonly relationships: readonly string[] },
  referrers: Set<string>,
): Promise<boolean> {
  for await (const entity of listReferrers(graph, { urn, relationships })) {
    if (referrers.size >= MAX_REFERRERS && !referrers.has(entity)) return false;
    referrers.add(entity);
  }
  return true;
}

/** Lists the relationships that aspects of these names declare. */
function listRelationships(registry: EntityRegistry, aspectNames: readonly string[]): readonly string[] {
  const names = aspectNames.flatMap((aspectName) =>
    (registry.aspect(aspectName)?.relationships ?? []).map(({ name }) => name),
  );
  return [...new Set(names)];
}
