import { liveGraph } from '@stratalog/lineage';
import type { RelatedEntities } from '@stratalog/domain';
import type { PositionedReads } from '@stratalog/indexing';
import { inParallel } from '@stratalog/concurrency';
import type { Clock, GraphIndexVersions } from '@stratalog/ports';
import { listRelationshipNames } from '@stratalog/registry';
import {
  defineTaskKind,
  type TaskContext,
  type TaskKind,
  type TaskStanding,
  type TaskStep,
} from '@stratalog/tasks';
import * as z from 'zod';
import { createCaller } from '../proposals/create-caller';
import type { UpdateDeps } from '../proposals/ingest-proposal';
import { readReferences, removeReferences, type RemovedReferences } from './remove-references';

export interface ReferenceDeps extends UpdateDeps {
  readonly graphIndexes: GraphIndexVersions;
  readonly graphReads: PositionedReads;
}

const PARAMETERS = z.object({ urn: z.string() });
export type ReferenceParameters = z.infer<typeof PARAMETERS>;

const REFERENCE = z.object({ entity: z.string(), relationship: z.string(), aspect: z.string() });
const REFERENCE_LIST = z.object({ relatedAspects: z.array(REFERENCE), total: z.number() });
export type ReferenceList = z.infer<typeof REFERENCE_LIST>;

const CHECKPOINT = z.object({
  found: REFERENCE_LIST,
  /** Edges that stay: the next page begins after them. */
  start: z.number(),
  left: z.array(REFERENCE),
});
type Checkpoint = z.infer<typeof CHECKPOINT>;

/** Number of references that an answer lists. */
const NAMED = 10;
/** Edges in one step. */
const PAGE = 1_000;
const AT_ONCE = 16;

/**
 * Makes the kind of task that removes all references to a urn from the aspects of other entities.
 *
 * Each step waits until the graph has every write before it, so a repeated step sees what the one before has removed. New values
 * derive from the store.
 */
export function referenceTask(
  deps: ReferenceDeps & { readonly clock: Clock },
): TaskKind<ReferenceParameters> {
  return defineTaskKind({
    name: 'delete-references',
    parameters: PARAMETERS,
    checkpoint: CHECKPOINT,
    start: async ({ parameters }) => {
      const found = await findReferences(deps, parameters.urn);
      return {
        checkpoint: { found, start: 0, left: [] },
        progress: { done: 0, total: found.total },
      };
    },
    step: { alone: (context, at) => step(deps, context, at) },
  });
}

/** Reads the first references to a urn, and counts all of them, once the graph includes every write so far. */
export async function findReferences(deps: ReferenceDeps, urn: string): Promise<ReferenceList> {
  await awaitGraph(deps);
  const { related, total } = await readPage(deps, urn, { start: 0, count: NAMED });
  const entities = [...new Set(related.map(({ entity }) => entity))];
  const references = await inParallel(entities, AT_ONCE, (entity) => readReferences(deps, entity, urn));
  const relatedAspects = references.flat().slice(0, NAMED).map(format);
  return { relatedAspects, total };
}

async function step(
  deps: ReferenceDeps & { readonly clock: Clock },
  { parameters: { urn }, actor }: TaskContext<ReferenceParameters>,
  { checkpoint: { found, start, left }, progress }: TaskStanding<Checkpoint>,
): Promise<TaskStep<Checkpoint>> {
  await awaitGraph(deps);
  const { related } = await readPage(deps, urn, { start, count: PAGE });
  if (related.length === 0) {
    const outcome = { ...found, ...(left.length === 0 ? {} : { left }) };
    return { kind: 'completed', outcome, log: [`${String(progress.done - start)} references removed`] };
  }
  const caller = createCaller(deps, actor);
  const entities = [...new Set(related.map(({ entity }) => entity))];
  const removals = await inParallel(entities, AT_ONCE, (entity) =>
    removeReferences(deps, { entity, urn }, caller),
  );
  const byEntity = new Map(entities.map((entity, index) => [entity, removals[index]]));
  const staying = related.filter(({ entity, edge }) => stays(byEntity.get(entity), edge.relationship));
  const names = new Set(staying.map(({ entity, edge }) => `${edge.relationship} ${entity}`));
  const here = removals
    .flatMap((removal) => removal.left)
    .filter((reference) => names.has(`${reference.relationship} ${reference.entity}`))
    .map(format);
  return {
    kind: 'next',
    checkpoint: {
      found,
      start: start + staying.length,
      left: [...left, ...here].slice(0, NAMED),
    },
    progress: { ...progress, done: progress.done + related.length },
  };
}

/**
 * True when the edge stays in the graph: the schema requires the reference, or no write happened, so no change
 * reaches the graph.
 */
function stays(removal: RemovedReferences | undefined, relationship: string): boolean {
  if (removal === undefined || removal.positions.length === 0) return true;
  return removal.left.some((reference) => reference.relationship === relationship);
}

async function awaitGraph({ store, graphReads }: ReferenceDeps): Promise<void> {
  await graphReads.waitUntil(await store.readPartitionSequences());
}

function format({ entity, relationship, aspect }: z.infer<typeof REFERENCE>): z.infer<typeof REFERENCE> {
  return { entity, relationship, aspect };
}

async function readPage(
  { graphIndexes, registry }: ReferenceDeps,
  urn: string,
  page: { readonly start: number; readonly count: number },
): Promise<RelatedEntities> {
  const graph = await liveGraph(graphIndexes);
  const relationships = listRelationshipNames(registry);
  // An edge that another entity declares goes with that entity's own reference.
  return graph.related({ urn, direction: 'INCOMING', relationships, declaredBySource: true, ...page });
}

/** Restores the order of the members, which the store does not keep. */
export const REMOVED_REFERENCES = REFERENCE_LIST.extend({ left: z.array(REFERENCE).optional() });
