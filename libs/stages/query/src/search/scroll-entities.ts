import { InvalidRequestError, parseUrn, type JsonValue, type SearchHit } from '@stratalog/model';
import type { Clock } from '@stratalog/ports';
import type { EntityType } from '@stratalog/registry';
import { parseQuery } from '@stratalog/search-text';
import type { FilterAndSort } from '../filters/filter-and-sort';
import { formatScrollId, parseScrollId, questionHash, type ScrollId } from './scroll-id';
import {
  FACETS,
  FACET_LIMIT,
  toAnswer,
  askIndex,
  membersOf,
  type IndexAnswer,
  type SearchDeps,
} from './search-entities';

export interface ScrollQuery extends FilterAndSort {
  readonly entityTypes: readonly EntityType[];
  readonly input: string;
  readonly count: number;
  readonly entitiesAsObjects: boolean;
  /** Of the page before. */
  readonly scrollId: string | undefined;
  /** How long the id of this page is good. */
  readonly keepAliveMs: number;
}

/**
 * One page of everything that a search finds, however much it is: ordered by urn, or by fields and then by urn.
 *
 * **Shape**: that of a search without `from`, and `scrollId` for the next page, which is absent when this one is not full. Facets are told
 * with the first page.
 *
 * **Order and repeats**: the next page begins behind the last entity of this one. What is found all the time, and does not move in the order,
 * comes just once, whatever is written meanwhile.
 *
 * **Errors**: `InvalidRequestError` for an id that is none of ours, of another question, or older than its time; `UnavailableError` while
 * the first index is being built.
 *
 * **Source**: entity and aspect behaviour, section 2.3; operations and search behaviour, section 3.8.
 */
export async function scrollEntities(
  parts: SearchDeps & { readonly clock: Clock },
  { entityTypes, input, count, entitiesAsObjects, scrollId, keepAliveMs, ...asked }: ScrollQuery,
): Promise<IndexAnswer> {
  const order = asked.order ?? [];
  const names = entityTypes.map(({ name }) => name);
  const question = questionHash({ names, input, ...asked, order } as unknown as Readonly<
    Record<string, JsonValue>
  >);
  const nowMs = parts.clock.now();
  const place =
    scrollId === undefined ? undefined : placeIn(scrollId, { question, nowMs, length: order.length });
  const query = parseQuery(input, firstOfEach(entityTypes.map(({ searchFields }) => searchFields)));
  const found = await askIndex(parts, {
    ...asked,
    order,
    ...(place === undefined ? {} : { after: place }),
    entityTypes: names,
    query,
    start: 0,
    count,
    facets: place === undefined ? FACETS : [],
    facetLimit: FACET_LIMIT,
  });
  const { hits } = found.result;
  const fields = new Map(entityTypes.map(({ name, searchFields }) => [name, searchFields]));
  const members = membersOf(found.result, {
    query,
    entitiesAsObjects,
    filters: firstOfEach(entityTypes.map(({ filters }) => filters)),
    fieldsOf: (urn) => fields.get(typeNameOf(urn)) ?? new Map(),
    page: { pageSize: count },
  });
  const last = hits.length < count ? undefined : hits.at(-1);
  return toAnswer(found, {
    ...members,
    ...(last === undefined ? {} : { scrollId: idBehind(last, question, nowMs + keepAliveMs) }),
  });
}

function placeIn(
  scrollId: string,
  { question, nowMs, length }: { readonly question: string; readonly nowMs: number; readonly length: number },
): ScrollId['place'] {
  const read = parseScrollId(scrollId);
  if (read === undefined) throw rejected('is none that this catalog gave');
  if (read.question !== question || read.place.keys.length !== length) {
    throw rejected(
      'belongs to another question: entities, input, filter and order must be those of the first page',
    );
  }
  if (read.expiresMs < nowMs) throw rejected('was kept for its keepAlive, and is too old now: begin again');
  return read.place;
}

function rejected(reason: string): InvalidRequestError {
  return new InvalidRequestError(`Parameter 'scrollId' ${reason}`);
}

function idBehind({ urn, keys }: SearchHit, question: string, expiresMs: number): string {
  return formatScrollId({ question, expiresMs, place: { keys, urn } });
}

function typeNameOf(urn: string): string {
  const parsed = parseUrn(urn);
  return 'urn' in parsed ? parsed.urn.entityType : '';
}

function firstOfEach<T>(maps: readonly ReadonlyMap<string, T>[]): ReadonlyMap<string, T> {
  return new Map([...maps].reverse().flatMap((map) => [...map]));
}
