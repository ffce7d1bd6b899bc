import { InvalidRequestError, distance } from '@stratalog/domain';
import type { IndexedAnswer } from '@stratalog/indexing';
import type { JsonOutputObject } from '@stratalog/json';
import { liveGraph } from '@stratalog/lineage';
import type { CallScope } from '../call-scope';
import { EntityRef } from '../fields/values';
import type { SentPage } from '../filters/sent-search';
import { reject } from '../filters/to-search-by';

const MAX_COUNT = 1_000;

export interface SentRelationships extends SentPage {
  readonly types: readonly string[];
  readonly direction: 'INCOMING' | 'OUTGOING';
  readonly includeSoftDelete?: boolean | null;
  readonly relatedEntityTypes?: readonly string[] | null;
}

interface RelatedPage {
  readonly start: number;
  readonly count: number;
  readonly total: number;
  readonly relationships: readonly { readonly type: string; readonly entity: EntityRef }[];
}

/** Reads one hop of the graph. **Errors**: `InvalidRequestError` for a page beyond its limits. */
export async function readRelated(
  scope: CallScope,
  { urn }: EntityRef,
  { types, direction, start, count, includeSoftDelete, relatedEntityTypes }: SentRelationships,
): Promise<RelatedPage> {
  if (includeSoftDelete === false) {
    reject('includeSoftDelete', 'must be true; GET /openapi/v3/relationship/scroll leaves soft-deleted out');
  }
  if ((relatedEntityTypes ?? []).length > 0) {
    reject('relatedEntityTypes', 'is not served; POST /openapi/v3/relationship/scroll is');
  }
  const page = { start: start ?? 0, count: count ?? 10 };
  if (page.start < 0 || page.count < 0 || page.count > MAX_COUNT) {
    throw new InvalidRequestError(
      `input: start must not be negative, and count be from 0 to ${String(MAX_COUNT)}`,
    );
  }
  scope.costs.countQuery();
  const found = await scope.related(async (): Promise<IndexedAnswer> => {
    const graph = await liveGraph(scope.deps.graphIndexes);
    const { total, related, position } = await graph.related({
      urn,
      direction,
      relationships: types,
      ...page,
    });
    const body: JsonOutputObject = {
      total,
      related: related.map(({ entity, edge }) => ({ entity, relationship: edge.relationship })),
    };
    return { body, position, lag: distance(position, await scope.deps.store.readPartitionSequences()) };
  });
  const related = found.related as readonly { readonly entity: string; readonly relationship: string }[];
  return {
    start: page.start,
    count: related.length,
    total: Number(found.total),
    relationships: related.map(({ entity, relationship }) => ({
      type: relationship,
      entity: new EntityRef(entity),
    })),
  };
}

/** Lists the assertions about an entity. */
export async function listAssertions(scope: CallScope, entity: EntityRef, page: SentPage): Promise<object> {
  const sent = { ...page, types: ['Asserts'], direction: 'INCOMING' } as const;
  const { relationships, ...rest } = await readRelated(scope, entity, sent);
  return { ...rest, assertions: relationships.map((each) => each.entity) };
}
