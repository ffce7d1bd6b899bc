import {
  UnavailableError,
  maxOffsets,
  type JsonOutputObject,
  type PartitionSequences,
  type RelatedEntities,
} from '@stratalog/model';
import type { CheckpointPoller } from '@stratalog/indexing';
import type { GraphIndexVersions } from '@stratalog/ports';
import { entityNamed, type EntityRegistry } from '@stratalog/registry';
import type { Caller } from '../proposals/create-caller';
import { inParallel } from '../proposals/in-parallel';
import type { UpdateDeps } from '../proposals/ingest-proposal';
import {
  readReferences,
  removeReferences,
  type Reference,
  type RemovedReferences,
} from './remove-references';

export interface ReferenceDeps extends UpdateDeps {
  readonly graphIndexes: GraphIndexVersions;
  /** Reports when the graph includes a position. */
  readonly graphWatch: CheckpointPoller;
  readonly positionTimeoutMs: number;
}

/** Number of references that an answer lists. */
const NAMED = 10;
const PAGE = 1_000;
const AT_ONCE = 16;

/**
 * Removes all references to a urn from the aspects of other entities, page by page.
 * Finished removals stay, so a caller may simply repeat an interrupted call. The graph names the referring entities,
 * once it includes all writes before the call; new values derive from the store.
 *
 * **Shape**: `relatedAspects`: the first ten references. `total`: the number of edges that end at the urn. `left`, if
 * any: the first ten references that a schema requires.
 *
 * **Errors**: `InvalidRequestError` for an invalid urn; `UnavailableError` while the graph is being built;
 * `NotCaughtUpError` when the graph does not catch up in time.
 *
 * **Source**: `docs/wire-decisions.md`, Writing.
 */
export async function deleteReferences(
  deps: ReferenceDeps,
  { urn, dryRun }: { readonly urn: string; readonly dryRun: boolean },
  caller: Caller,
): Promise<JsonOutputObject> {
  entityNamed(deps.registry, urn);
  await graphHas(deps, await deps.store.head());
  const first = await toPage(deps, urn, 0, dryRun ? NAMED : PAGE);
  const relatedAspects = await firstReferences(deps, first, urn);
  const left = dryRun ? [] : await removeAll(deps, { urn, first }, caller);
  return { relatedAspects, total: first.total, ...(left.length === 0 ? {} : { left }) };
}

async function removeAll(
  deps: ReferenceDeps,
  { urn, first }: { readonly urn: string; readonly first: RelatedEntities },
  caller: Caller,
): Promise<JsonOutputObject[]> {
  const left: JsonOutputObject[] = [];
  let page = first;
  for (let start = 0; page.related.length > 0; page = await toPage(deps, urn, start, PAGE)) {
    const entities = [...new Set(page.related.map(({ entity }) => entity))];
    const removals = await inParallel(entities, AT_ONCE, (entity) =>
      removeReferences(deps, { entity, urn }, caller),
    );
    const byEntity = new Map(entities.map((entity, index) => [entity, removals[index]]));
    const staying = page.related.filter(({ entity, edge }) => stays(byEntity.get(entity), edge.relationship));
    const names = new Set(staying.map(({ entity, edge }) => `${edge.relationship} ${entity}`));
    const here = removals
      .flatMap((removal) => removal.left)
      .filter((reference) => names.has(`${reference.relationship} ${reference.entity}`));
    left.push(...here.slice(0, NAMED - left.length).map(wire));
    start += staying.length;
    await graphHas(deps, writtenBy(removals));
  }
  return left;
}

/**
 * True when the edge stays in the graph: the schema requires the reference, or no write happened, so no change
 * reaches the graph.
 */
function stays(removal: RemovedReferences | undefined, relationship: string): boolean {
  if (removal === undefined || removal.positions.length === 0) return true;
  return removal.left.some((reference) => reference.relationship === relationship);
}

function writtenBy(removals: readonly RemovedReferences[]): PartitionSequences {
  let written: PartitionSequences = new Map();
  for (const { seqs } of removals.flatMap(({ positions }) => positions)) written = maxOffsets(written, seqs);
  return written;
}

async function graphHas(
  { graphWatch, positionTimeoutMs }: ReferenceDeps,
  seqs: PartitionSequences,
): Promise<void> {
  if (seqs.size > 0) await graphWatch.until(seqs, positionTimeoutMs);
}

async function firstReferences(
  deps: ReferenceDeps,
  { related }: RelatedEntities,
  urn: string,
): Promise<JsonOutputObject[]> {
  const entities = [...new Set(related.slice(0, NAMED).map(({ entity }) => entity))];
  const references = await inParallel(entities, AT_ONCE, (entity) => readReferences(deps, entity, urn));
  return references.flat().slice(0, NAMED).map(wire);
}

function wire({ entity, relationship, aspect }: Reference): JsonOutputObject {
  return { entity, relationship, aspect };
}

async function toPage(
  { graphIndexes, registry }: ReferenceDeps,
  urn: string,
  start: number,
  count: number,
): Promise<RelatedEntities> {
  const graph = await graphIndexes.live();
  if (graph === undefined) throw new UnavailableError('The relationship graph is being built');
  const relationships = relationshipNames(registry);
  return graph.related({ urn, direction: 'INCOMING', relationships, start, count });
}

function relationshipNames({ aspects }: EntityRegistry): readonly string[] {
  return [...new Set(aspects.flatMap(({ relationships }) => relationships.map(({ name }) => name)))];
}
