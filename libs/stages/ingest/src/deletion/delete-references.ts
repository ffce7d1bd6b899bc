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
import type { Caller } from './delete-entity';
import { inParallel } from '../proposals/in-parallel';
import type { IngestDeps } from '../proposals/ingest-proposal';
import { referencesOf, removeReferences, type Reference, type RemovedReferences } from './remove-references';

export interface ReferenceDeps extends IngestDeps {
  readonly graphIndexes: GraphIndexVersions;
  /** Tells when the graph includes what was written. */
  readonly graphWatch: CheckpointPoller;
  readonly positionTimeoutMs: number;
}

/** How many references an answer names. */
const NAMED = 10;
const PAGE = 1_000;
const AT_ONCE = 16;

/**
 * Takes all references to a urn out of the aspects of others, page by page; what was done stays done, so a call that did not come to its end is
 * simply repeated. Who refers to the urn is asked of the graph, as soon as it includes all that was written before the call; what is
 * written is made out of the store.
 *
 * **Shape**: `relatedAspects`, the first ten references; `total`, how many edges end at the urn; `left`, where there are any, the first ten
 * that a schema does not let go.
 *
 * **Errors**: `InvalidRequestError` for what is no urn; `UnavailableError` while the graph is built; `NotCaughtUpError` when it is too late.
 *
 * **Source**: entity and aspect behaviour, section 2.4.
 */
export async function deleteReferences(
  parts: ReferenceDeps,
  { urn, dryRun }: { readonly urn: string; readonly dryRun: boolean },
  caller: Caller,
): Promise<JsonOutputObject> {
  entityNamed(parts.registry, urn);
  await graphHas(parts, await parts.store.head());
  const first = await toPage(parts, urn, 0, dryRun ? NAMED : PAGE);
  const relatedAspects = await firstReferences(parts, first, urn);
  const left = dryRun ? [] : await removeAll(parts, { urn, first }, caller);
  return { relatedAspects, total: first.total, ...(left.length === 0 ? {} : { left }) };
}

async function removeAll(
  parts: ReferenceDeps,
  { urn, first }: { readonly urn: string; readonly first: RelatedEntities },
  caller: Caller,
): Promise<JsonOutputObject[]> {
  const left: JsonOutputObject[] = [];
  let page = first;
  for (let start = 0; page.related.length > 0; page = await toPage(parts, urn, start, PAGE)) {
    const entities = [...new Set(page.related.map(({ entity }) => entity))];
    const removals = await inParallel(entities, AT_ONCE, (entity) =>
      removeReferences(parts, { entity, urn }, caller),
    );
    const byEntity = new Map(entities.map((entity, index) => [entity, removals[index]]));
    const staying = page.related.filter(({ entity, edge }) => stays(byEntity.get(entity), edge.relationship));
    const names = new Set(staying.map(({ entity, edge }) => `${edge.relationship} ${entity}`));
    const here = removals
      .flatMap((removal) => removal.left)
      .filter((reference) => names.has(`${reference.relationship} ${reference.entity}`));
    left.push(...here.slice(0, NAMED - left.length).map(wire));
    start += staying.length;
    await graphHas(parts, writtenBy(removals));
  }
  return left;
}

/** The graph keeps it: the schema does not let go, or nothing of the entity had to be written, so that no news comes. */
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
  parts: ReferenceDeps,
  { related }: RelatedEntities,
  urn: string,
): Promise<JsonOutputObject[]> {
  const entities = [...new Set(related.slice(0, NAMED).map(({ entity }) => entity))];
  const references = await inParallel(entities, AT_ONCE, (entity) => referencesOf(parts, entity, urn));
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
