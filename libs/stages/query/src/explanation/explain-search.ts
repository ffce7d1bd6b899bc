import {
  NotFoundError,
  type EntryProjection,
  type SearchDocument,
  type SearchFilter,
  type SearchHit,
  type SearchRequest,
} from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import { readForEntries, type IndexedAnswer } from '@stratalog/indexing';
import { inSlices } from '@stratalog/concurrency';
import { searchProjection, type PopularityStrength } from '@stratalog/projection';
import type { EntityType } from '@stratalog/registry';
import {
  explainMismatch,
  explainScore,
  matchesFilter,
  narrowed,
  parseInput,
  rankQuery,
  type ExplainedTerm,
} from '@stratalog/search-text';
import { queryIndex, toAnswer, type IndexedResult, type SearchDeps } from '../search/query-index';

/** Most hits among which the entity is looked for. */
const MAX_RANK = 1_000;

export interface ExplanationDeps extends SearchDeps {
  readonly popularity: { readonly strength: PopularityStrength };
}

export interface Explained {
  readonly urn: string;
  readonly input: string;
  readonly entityTypes: readonly EntityType[];
}

/** Why a search finds an entity, or not. */
export interface Explanation {
  readonly urn: string;
  readonly query: string;
  readonly found: boolean;
  /** From 1; absent when the search does not find the entity. */
  readonly rank?: number;
  readonly score?: number;
  readonly total: number;
  /** Sentences for people. */
  readonly reasons: readonly string[];
  /** The parts of the score. */
  readonly terms: readonly ExplainedTerm[];
  readonly above?: JsonOutputObject;
  /** The projection of the stored aspects. */
  readonly document: JsonOutputObject;
  /** The values that the index holds; null when it holds none. */
  readonly indexed: JsonOutputObject | null;
}

/**
 * Explains in words whether and why a search finds an entity, at which rank, and what the entity above it has.
 *
 * **Shape**: `{found, rank, total, score, reasons, above, document}`. `reasons` are sentences; `document` is the projection of the stored
 * aspects, and `indexed` what the index holds.
 *
 * **Errors**: `NotFoundError` when the store has no such entity; those of `queryIndex`.
 */
export async function explainSearch(deps: ExplanationDeps, explained: Explained): Promise<IndexedAnswer> {
  const { answered, explanation } = await computeExplanation(deps, explained);
  const { terms, ...rest } = explanation;
  return toAnswer(answered, { ...rest, terms: terms.map((term) => ({ ...term })) });
}

/** Computes the explanation of {@link explainSearch}. **Errors**: the same. */
export async function computeExplanation(
  deps: ExplanationDeps,
  { urn, input, entityTypes }: Explained,
): Promise<{ readonly answered: IndexedResult; readonly explanation: Explanation }> {
  const { query, words, conditions } = parseInput(input, {
    entityTypes,
    synonyms: deps.synonyms,
    joins: true,
  });
  const ranking = rankQuery(words);
  const request: SearchRequest = {
    entityTypes: entityTypes.map(({ name }) => name),
    query,
    ranking,
    ...narrowed(undefined, conditions),
    start: 0,
    count: MAX_RANK,
    facets: [],
    facetLimit: 0,
  };
  const projection = searchProjection(deps.registry, deps.popularity.strength);
  const read: ReadDocument = (each) => readDocument(deps.store, projection, each);
  const document = await read(urn);
  const answered = await queryIndex(deps, request);
  const { hits, total } = answered.result;
  const at = hits.findIndex((hit) => hit.urn === urn);
  const above = at > 0 ? hits[at - 1] : undefined;
  const indexed = (await answered.index.readValues([urn])).get(urn);
  const terms = explainScore(ranking, document);
  const reasons =
    at >= 0
      ? explainRank({ document, terms, rank: at + 1, total })
      : explainAbsence(document, { request, total, isIndexed: indexed !== undefined });
  const explanation: Explanation = {
    urn,
    query: input,
    found: at >= 0,
    ...(at >= 0 ? { rank: at + 1, score: hits[at]?.score ?? 0 } : {}),
    total,
    reasons,
    ...(above === undefined ? {} : { above: await explainAbove(read, above, { ranking, terms }) }),
    terms,
    document: describeDocument(document),
    indexed: indexed ?? null,
  };
  return { answered, explanation };
}

type ReadDocument = (urn: string) => Promise<SearchDocument>;

async function readDocument(
  store: SearchDeps['store'],
  projection: Pick<EntryProjection<SearchDocument>, 'project' | 'references' | 'listTimeseriesAspects'>,
  urn: string,
): Promise<SearchDocument> {
  const { entities, referenced } = await readForEntries({ ...projection, store }, [urn]);
  const [entity] = entities;
  const document = entity === undefined ? undefined : await inSlices(projection.project(entity, referenced));
  if (document === undefined) throw new NotFoundError(`No entity ${urn}`);
  return document;
}

function explainRank({
  document,
  terms,
  rank,
  total,
}: {
  readonly document: SearchDocument;
  readonly terms: readonly ExplainedTerm[];
  readonly rank: number;
  readonly total: number;
}): readonly string[] {
  return [
    `Rank ${String(rank)} of ${String(total)}.`,
    ...terms.map(({ reason, boost }) => `${boost > 0 ? `+${String(boost)}` : '0'}: ${reason}.`),
    `The sum and 1 are multiplied by ${document.weight.toFixed(3)}, the weight of the entity: deprecation, length of the name, environment, documentation, popularity.`,
  ];
}

function explainAbsence(
  document: SearchDocument,
  {
    request,
    total,
    isIndexed,
  }: { readonly request: SearchRequest; readonly total: number; readonly isIndexed: boolean },
): readonly string[] {
  const reasons = explainMismatch(request.query, document.text).map((reason) => `The entity ${reason}.`);
  if (request.filter !== undefined && !matchesFilter(request.filter, document.filters, document.text))
    reasons.push(describeOutside(request.filter));
  if (document.deleted) reasons.push('The entity is deleted.');
  else if (document.removed) reasons.push('The entity is soft-deleted, and searches leave it out.');
  if (!request.entityTypes.includes(document.entityType))
    reasons.push(
      `The search is for ${request.entityTypes.join(', ')}, and the entity is a ${document.entityType}.`,
    );
  if (reasons.length > 0) return reasons;
  if (!isIndexed) return ['The entity matches, but the index does not hold it yet.'];
  if (total > MAX_RANK)
    return [`The entity matches, behind the first ${String(MAX_RANK)} of ${String(total)}.`];
  return ['The stored entity matches, but the index holds an older state of it.'];
}

function describeOutside(filter: SearchFilter): string {
  if (filter.length === 1) return 'A value of the entity lies outside a range of the query.';
  return `The entity meets none of the ${String(filter.length)} combinations of words and ranges of the query.`;
}

async function explainAbove(
  read: ReadDocument,
  { urn, score }: SearchHit,
  {
    ranking,
    terms,
  }: { readonly ranking: ReturnType<typeof rankQuery>; readonly terms: readonly ExplainedTerm[] },
): Promise<JsonOutputObject> {
  const document = await read(urn);
  const better = explainScore(ranking, document).filter((term, at) => term.boost > (terms[at]?.boost ?? 0));
  const reasons = better.map(({ reason, boost }) => `+${String(boost)}: ${reason}.`);
  return {
    urn,
    score,
    weight: document.weight,
    reasons: reasons.length > 0 ? reasons : ['The words count the same; its weight or its urn decides.'],
  };
}

function describeDocument({ text, weight, removed, seq, values }: SearchDocument): JsonOutputObject {
  return {
    seq,
    weight,
    removed,
    values,
    words: Object.fromEntries(
      text.map(({ field, tokens, completions }) => [
        field,
        tokens.length > 0 ? [...new Set(tokens.map(({ token }) => token))] : [...completions],
      ]),
    ),
  };
}
