import { InvalidRequestError, entityTypeIn } from '@stratalog/domain';
import { MAX_QUERY_TEXT_BYTES } from '@stratalog/http';
import { isJsonObject, valueAt } from '@stratalog/json';
import type { EntityType } from '@stratalog/registry';
import { parseFilterAndSort } from '../../filters/filter-and-sort';
import { filter as filterParameter, type Criteria } from '../../filters/read-criteria';
import { NO_FLAGS, toSearchFlags } from '../../search/search-flags';
import type { SearchedBy } from '../../search/search-entities';
import type { CallScope } from '../call-scope';
import type { SentSearch } from './sent-search';
import { dropUnknownFields, joinLists, toCriteria, withTypeNames } from './to-criteria';

const VIEW = 'dataHubView';
const VIEW_ASPECT = 'dataHubViewInfo';
const MAX_VALUES_OF_FACET = 1_000;

/** Throws for a member of the input. */
export function reject(path: string, reason: string): never {
  throw new InvalidRequestError(`input/${path}: ${reason}`);
}

/** Which types a search is about, and the filter with that of the view. */
export interface SearchPlace {
  readonly types: readonly EntityType[];
  /** True: the search names types, and the model has none of them. */
  readonly isNowhere: boolean;
  readonly criteria: Criteria;
}

/** Reads types, filters and view of a search. **Errors**: `InvalidRequestError` for a view that does not exist, or too many criteria. */
export async function toSearchPlace(scope: CallScope, sent: SentSearch): Promise<SearchPlace> {
  const { names, deps } = scope;
  const criteria = toCriteria(sent, names);
  const named = sent.types ?? [];
  const found = new Set(named.flatMap((name) => names.find(name) ?? []));
  const types = named.length === 0 ? deps.registry.entityTypes : [...found];
  const { viewUrn } = sent;
  if (viewUrn === undefined || viewUrn === null) return { types, isNowhere: types.length === 0, criteria };
  const view = await readView(scope, viewUrn);
  const seen = types.filter(({ name }) => view.types.length === 0 || view.types.includes(name));
  return { types: seen, isNowhere: seen.length === 0, criteria: joinLists(view.criteria, criteria) };
}

async function readView(
  { loader, names, deps }: CallScope,
  urn: string,
): Promise<{ readonly types: readonly string[]; readonly criteria: Criteria }> {
  if (entityTypeIn(urn) !== VIEW) return reject('viewUrn', 'is no urn of a dataHubView');
  const definition = valueAt(await loader.aspect(urn, VIEW_ASPECT), ['definition']);
  if (!isJsonObject(definition)) return reject('viewUrn', `${urn.slice(0, 600)} does not exist`);
  const { entityTypes, filter } = definition;
  const parsed = filterParameter.safeParse(filter ?? {});
  if (!parsed.success) return reject('viewUrn', `${urn.slice(0, 600)} has a filter that cannot be searched`);
  const types = Array.isArray(entityTypes) ? entityTypes.map(String) : [];
  const known = types.map((name) => (deps.registry.entityType(name) ?? names.find(name))?.name ?? name);
  return {
    types: known,
    criteria: parsed.data.map((list) => list.map((each) => withTypeNames(each, names))),
  };
}

interface SearchOptions {
  /** True: the answer needs facets. */
  readonly hasFacets: boolean;
  /** True: a query that matches nothing is relaxed. */
  readonly mayRelax: boolean;
}

/**
 * Makes the search of a place that is searched by its criteria.
 *
 * **Errors**: `InvalidRequestError` that names a wrong filter or order.
 */
export function toSearchBy(
  { unknown }: CallScope,
  sent: SentSearch,
  { types, isNowhere, criteria }: SearchPlace,
  { hasFacets, mayRelax }: SearchOptions,
): SearchedBy {
  const possible = isNowhere ? 'none' : dropUnknownFields(criteria, types, unknown);
  const { sortCriteria, sortCriterion } = sent.sortInput ?? {};
  const orders =
    sortCriteria ?? (sortCriterion === null || sortCriterion === undefined ? [] : [sortCriterion]);
  const { includesSoftDeleted, ...flags } = toSearchFlags(
    { searchFlags: toFlags(sent.searchFlags ?? {}, hasFacets) },
    { mayRelax, unknown },
  );
  const input = sent.query ?? '*';
  if (Buffer.byteLength(input) > MAX_QUERY_TEXT_BYTES) {
    reject('query', `is longer than ${String(MAX_QUERY_TEXT_BYTES)} bytes`);
  }
  return {
    input,
    entityTypes: types,
    ...parseFilterAndSort(
      {
        filter: possible === 'none' ? [] : possible,
        ...(orders.length === 0
          ? {}
          : { sortCriteria: orders.map(({ field, sortOrder }) => ({ field, order: sortOrder })) }),
      },
      types,
      reject,
    ),
    ...(includesSoftDeleted ? { includesSoftDeleted } : {}),
    ...(possible === 'none' ? { urns: [] } : {}),
    ...flags,
    entitiesAsObjects: false,
    report: unknown.report,
  };
}

/** Flags that would change which entities match, or the facets. */
const UNSERVED_FLAGS = ['includeStructuredPropertyFacets', 'filterNonLatestVersions'] as const;

function toFlags(flags: NonNullable<SentSearch['searchFlags']>, hasFacets: boolean): typeof NO_FLAGS {
  for (const name of UNSERVED_FLAGS) {
    if (flags[name] === true) reject(`searchFlags/${name}`, 'is not served; leave it out, or send false');
  }
  const { maxAggValues, skipAggregates, includeSoftDeleted, fulltext } = flags;
  const limit = maxAggValues ?? NO_FLAGS.maxAggValues;
  if (limit < 1 || limit > MAX_VALUES_OF_FACET) {
    reject('searchFlags/maxAggValues', `must be from 1 to ${String(MAX_VALUES_OF_FACET)}`);
  }
  return {
    ...NO_FLAGS,
    maxAggValues: limit,
    skipAggregates: !hasFacets || skipAggregates === true,
    includeSoftDeleted: includeSoftDeleted === true,
    fulltext: fulltext !== false,
    skipHighlighting: true,
  };
}
