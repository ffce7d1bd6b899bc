import type { IndexedAnswer } from '@stratalog/indexing';
import {
  entityTypeIn,
  propertyField,
  type ReportUnknown,
  type QueryNode,
  type SearchField,
  type SearchHit,
  type SearchRequest,
} from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import type { EntityType } from '@stratalog/registry';
import {
  markWords,
  FieldMatcher,
  narrowed,
  parseInput,
  rankQuery,
  type MatchedField,
} from '@stratalog/search-text';
import type { FilterAndSort } from '../filters/filter-and-sort';
import { chooseFacets, listRequests, type FacetOptions } from '../facets/choose-facets';
import { toCard, urnsInCards } from './cards';
import { relax, type RelaxOptions } from './relax';
import { countFacets, formatFacets, urnsIn, type CountedFacet } from '../facets/format-facets';
import { queryIndex, toAnswer, type IndexedResult, type SearchDeps } from './query-index';

export interface SearchQueryParameters extends SearchedBy {
  readonly start: number;
  readonly count: number;
}

/** The request of a search, for one page or many. */
export interface SearchedBy extends FilterAndSort, Pick<SearchRequest, 'urns'> {
  readonly entityTypes: readonly EntityType[];
  readonly input: string;
  /** Absent: no facets. */
  readonly facets?: FacetOptions;
  /** Facets that the index does not count, before all others. */
  readonly moreFacets?: readonly CountedFacet[];
  /** True: each entity is an object `{entity, matchedFields, score}`; false: a urn. */
  readonly entitiesAsObjects: boolean;
  /** Returns further members of an entity that is an object. */
  readonly describe?: (urn: string) => JsonOutputObject;
  /** How the search goes on when it matches nothing; absent: not at all, and no neighbouring words are joined. */
  readonly relaxOptions?: RelaxOptions;
  /** True: the answer does not say which fields matched. */
  readonly skipsMatchedFields: boolean;
  /** True: each matched field has a fragment of its value with the matched words marked. */
  readonly marksWords?: boolean;
  /** True: the answer has a card of each entity. */
  readonly showsCards?: boolean;
  /** Takes the names of facets that no searched type has. */
  readonly report: ReportUnknown;
}

/**
 * Searches the latest state of entities of the given types.
 *
 * **Shape**: the contract's search result; `metadata` carries the older and the newer form side by side.
 *
 * **Errors**: `UnavailableError` while the first index is being built.
 *
 * **Source**: `docs/wire-decisions.md`, Searching.
 */
export async function searchEntities(
  deps: SearchDeps,
  { start, count, ...searched }: SearchQueryParameters,
): Promise<IndexedAnswer> {
  const { answered, members } = await findMatches(deps, searched, { start, count });
  const { numEntities, ...rest } = members;
  return toAnswer(answered, { numEntities, pageSize: count, from: start, ...rest });
}

/** The members that the results of all searches share. */
export interface Matches {
  readonly answered: IndexedResult;
  readonly members: JsonOutputObject;
}

/** Finds one page of the matches of a search, with facets. */
export async function findMatches(
  deps: SearchDeps,
  {
    entityTypes,
    input,
    facets,
    moreFacets = [],
    entitiesAsObjects,
    describe = () => ({}),
    skipsMatchedFields,
    marksWords = false,
    showsCards = false,
    selected,
    relaxOptions,
    report,
    ...options
  }: SearchedBy,
  page: Pick<SearchRequest, 'start' | 'count' | 'after'>,
): Promise<Matches> {
  const fields = new Map(entityTypes.map(({ name, searchFields }) => [name, searchFields]));
  const {
    query,
    words,
    text,
    conditions,
    fields: merged,
  } = parseInput(input, { entityTypes, synonyms: deps.synonyms, joins: relaxOptions !== undefined });
  const narrow = { ...options, ...narrowed(options.filter, conditions) };
  const chosen =
    facets === undefined ? [] : chooseFacets(entityTypes, facets, { ...narrow, selected }, report);
  const request: SearchRequest = {
    ...narrow,
    ...page,
    entityTypes: [...fields.keys()],
    query,
    ranking: rankQuery(words),
    facets: listRequests(chosen),
    facetLimit: facets?.limit ?? 0,
  };
  const strict = await queryIndex(deps, request);
  const { found, suggestions = [] } =
    relaxOptions === undefined || strict.result.total > 0 || words !== query
      ? {}
      : await relax(deps, { input: text, fields: merged, request, answered: strict }, relaxOptions);
  const answered = found?.answered ?? strict;
  const { result, index, position } = answered;
  const counted = [...moreFacets, ...countFacets(chosen, result.facets)];
  const asked = found?.relaxation.query ?? words;
  const matches = skipsMatchedFields
    ? result.hits.map(() => [])
    : matchHits(result.hits, asked, { fields, marksWords });
  // Before those of facets: there are names for a limited number of urns.
  const named = [...(showsCards ? urnsInCards(result.hits) : []), ...urnsIn(counted)];
  const names = await deps.displayNames.of(index, position, named);
  const members = {
    numEntities: result.total,
    entities: result.hits.map(({ urn, score }, at) =>
      entitiesAsObjects ? { entity: urn, matchedFields: matches[at] ?? [], score, ...describe(urn) } : urn,
    ),
    metadata: {
      urns: result.hits.map(({ urn }) => urn),
      matches: matches.map((found) => ({ matchedFields: found })),
      ...(showsCards ? { cards: result.hits.map((hit) => toCard(hit, names)) } : {}),
      ...formatFacets(counted, names),
      suggestions,
      ...(found === undefined ? {} : { fallback: found.relaxation.kind }),
    },
  };
  return { answered, members };
}

/** Counts the matches of a search. */
export async function countMatches(
  deps: SearchDeps,
  { entityTypes, input, filter, includesSoftDeleted, urns }: SearchedBy,
): Promise<number> {
  const { query, conditions } = parseInput(input, { entityTypes, synonyms: deps.synonyms, joins: false });
  const { result } = await queryIndex(deps, {
    entityTypes: entityTypes.map(({ name }) => name),
    query,
    ...narrowed(filter, conditions),
    ...(includesSoftDeleted === undefined ? {} : { includesSoftDeleted }),
    ...(urns === undefined ? {} : { urns }),
    start: 0,
    count: 0,
    facets: [],
    facetLimit: 0,
  });
  return result.total;
}

/** Lists for each hit the fields and values that the query matched in it. */
function matchHits(
  hits: readonly SearchHit[],
  query: QueryNode,
  { fields, marksWords }: { readonly fields: ReadonlyMap<string, Fields>; readonly marksWords: boolean },
): readonly (readonly JsonOutputObject[])[] {
  const matchers = new Map<string, FieldMatcher>();
  return hits.map(({ urn, values }) => {
    const type = entityTypeIn(urn);
    const own: Fields = fields.get(type) ?? new Map();
    const matcher = matchers.get(type) ?? new FieldMatcher(query, own);
    matchers.set(type, matcher);
    return matcher.match(values).map((matched) => ({
      ...matched,
      ...(marksWords ? toFragment(matched, query, own) : {}),
    }));
  });
}

type Fields = ReadonlyMap<string, SearchField>;

/** Returns the part of a value in which the matched words are marked. */
function toFragment(
  { name, value }: MatchedField,
  query: QueryNode,
  fields: Fields,
): { readonly fragment?: JsonOutputObject } {
  const field = fields.get(name) ?? propertyField(name);
  const fragment = field === undefined ? undefined : markWords(query, field, value);
  return fragment === undefined ? {} : { fragment: { ...fragment } };
}
