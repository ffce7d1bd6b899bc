import type { IndexedAnswer } from '@stratalog/indexing';
import {
  ENTITY_NAME_FIELD,
  InvalidRequestError,
  didYouMean,
  type QueryNode,
  type ScoreTerm,
  type SearchField,
} from '@stratalog/domain';
import type { EntityType } from '@stratalog/registry';
import { CompletionMatcher, parseCompletion, parseStart, rankQuery, rankStart } from '@stratalog/search-text';
import type { FilterAndSort } from '../filters/filter-and-sort';
import { queryIndex, toAnswer, type IndexedResult, type SearchDeps } from '../search/query-index';

export interface AutocompleteQuery extends Pick<FilterAndSort, 'filter' | 'includesSoftDeleted'> {
  readonly entityTypes: readonly EntityType[];
  /** The text that a person has typed so far. */
  readonly text: string;
  /** The only field to complete; absent: all that the model marks. */
  readonly field?: string | undefined;
  readonly start: number;
  readonly limit: number;
}

/**
 * Completes a partial text to names of entities.
 *
 * **Shape**: `{query, suggestions, entities}`; `entities` has the entity of each suggestion, at the same place.
 *
 * **Order and repeats**: values that equal the text, values that begin with it, values that have its words in any order,
 * the last word as a prefix; each kind by weight, then by urn. Entities of one name are several suggestions.
 *
 * **Errors**: `InvalidRequestError` for a field that autocompletion does not offer; `UnavailableError` while the first
 * index is being built.
 *
 * **Source**: `docs/wire-decisions.md`, Autocomplete.
 */
export async function autocomplete(
  deps: SearchDeps,
  { entityTypes, text, field, start, limit, ...filtered }: AutocompleteQuery,
): Promise<IndexedAnswer> {
  const fields = chooseFields(entityTypes, field);
  const find = (matched: QueryNode, ranking: readonly ScoreTerm[]): Promise<IndexedResult> =>
    queryIndex(deps, {
      ...filtered,
      entityTypes: entityTypes.map(({ name }) => name),
      query: matched,
      ranking,
      start,
      count: limit,
      facets: [],
      facetLimit: 0,
    });
  // Values that begin with the text come first, and fill most pages. The index finds them in a fraction of the time.
  const beginning = parseStart(text, fields);
  const first = await find(beginning, rankStart(beginning));
  const all = parseCompletion(text, fields);
  const answered = first.result.hits.length === limit ? first : await find(all, rankQuery(all));
  const matcher = new CompletionMatcher(text, fields);
  const completed = answered.result.hits.flatMap(({ urn, values }) => {
    const suggestion = matcher.best(values);
    return suggestion === undefined ? [] : [{ urn, suggestion }];
  });
  return toAnswer(answered, {
    query: text,
    suggestions: completed.map(({ suggestion }) => suggestion),
    entities: completed.map(({ urn }) => ({ urn })),
  });
}

/** Returns the fields to complete, those with display names first. */
function chooseFields(types: readonly EntityType[], asked: string | undefined): readonly SearchField[] {
  const offered = new Map<string, SearchField>();
  const marked = types
    .flatMap(({ searchFields }) => [...searchFields.values()])
    .filter((field) => field.autocomplete);
  const [names, others] = [true, false].map((isName) =>
    marked.filter(({ aliases }) => aliases.includes(ENTITY_NAME_FIELD) === isName),
  );
  for (const field of [...(names ?? []), ...(others ?? [])]) {
    if (!offered.has(field.name)) offered.set(field.name, field);
  }
  if (asked === undefined) return [...offered.values()];
  const field = offered.get(asked);
  if (field !== undefined) return [field];
  const near = didYouMean(asked, offered.keys());
  const all = [...offered.keys()].sort().join(', ');
  throw new InvalidRequestError(
    `Parameter 'field': ${asked.slice(0, 100)} is not completed${near}; these fields are: ${all}`,
  );
}
