import type { SearchField, SearchRequest } from '@stratalog/domain';
import type { SearchIndex } from '@stratalog/ports';
import {
  isAffordable,
  parseQuery,
  rankQuery,
  relaxQuery,
  suggestSpelling,
  type Relaxation,
  type Synonyms,
  type Vocabulary,
} from '@stratalog/search-text';
import { queryIndex, type IndexedResult, type SearchDeps } from './query-index';

/** Most suggestions of an answer, and most that are tried. */
const MAX_SUGGESTIONS = 3;
const MAX_TRIED = 5;

/** The permitted relaxations when no entity has all words of a search. */
export interface RelaxOptions {
  /** True: misspelt words match the words that are probably meant. */
  readonly correctsSpelling: boolean;
}

/** The search that found nothing. */
interface Missed {
  readonly input: string;
  readonly fields: ReadonlyMap<string, SearchField>;
  readonly request: SearchRequest;
  readonly answered: IndexedResult;
}

/** A query that people may have meant. */
interface Suggestion {
  readonly text: string;
  readonly score: number;
  /** Number of its matches. */
  readonly frequency: number;
}

interface Relaxed {
  /** The first relaxation that has a match; absent when none has. */
  readonly found?: { readonly answered: IndexedResult; readonly relaxation: Relaxation };
  readonly suggestions: readonly Suggestion[];
}

/** Searches once more for what resembles a query that matches nothing, and suggests other spellings of it. */
export async function relax(
  deps: SearchDeps,
  { input, fields, request, answered }: Missed,
  options: RelaxOptions,
): Promise<Relaxed> {
  const vocabulary = await deps.vocabularies.of(answered.index, answered.position);
  const suggestions = await suggest(answered.index, deps.synonyms, { input, fields, request }, vocabulary);
  for (const relaxation of relaxQuery(input, fields, vocabulary, {
    ...options,
    synonyms: deps.synonyms,
  })) {
    const relaxed = { ...request, query: relaxation.query, ranking: relaxation.ranking };
    if (!isAffordable(relaxed)) continue;
    const again = await queryIndex(deps, relaxed);
    if (again.result.total > 0) return { found: { answered: again, relaxation }, suggestions };
  }
  return { suggestions };
}

async function suggest(
  index: SearchIndex,
  synonyms: Synonyms,
  { input, fields, request }: Omit<Missed, 'answered'>,
  vocabulary: Vocabulary,
): Promise<readonly Suggestion[]> {
  const suggestions: Suggestion[] = [];
  for (const { text, score } of suggestSpelling(input, fields, vocabulary, MAX_TRIED)) {
    const query = parseQuery(text, fields, synonyms);
    const counted = { ...request, query, ranking: rankQuery(query), start: 0, count: 0, facets: [] };
    const { total } = await index.search(counted);
    if (total > 0) suggestions.push({ text, score, frequency: total });
    if (suggestions.length === MAX_SUGGESTIONS) break;
  }
  return suggestions;
}
