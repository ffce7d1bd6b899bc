import type { CallScope } from '../call-scope';
import type { EntityRef } from '../fields/values';
import type { SentCriterion, SentPage, SentSearch } from '../filters/sent-search';
import { findPage } from './search';

interface Listed {
  readonly start: number;
  readonly count: number;
  readonly total: number;
  readonly entities: readonly EntityRef[];
}

async function list(scope: CallScope, sent: SentSearch & SentPage): Promise<Listed> {
  const { start, count, total, searchResults } = await findPage(scope, sent);
  return { start, count, total, entities: searchResults.map(({ entity }) => entity) };
}

function newestBy(field: string): NonNullable<SentSearch['sortInput']> {
  return { sortCriteria: [{ field, sortOrder: 'DESCENDING' }] };
}

/** Lists the runs of a job or of a dataset, the newest first. */
export async function listRuns(scope: CallScope, { urn }: EntityRef, page: SentPage): Promise<object> {
  const { entities, ...rest } = await list(scope, {
    ...page,
    types: ['DATA_PROCESS_INSTANCE'],
    filters: [{ field: 'parentTemplate', values: [urn] }],
    sortInput: newestBy('created'),
  });
  return { ...rest, runs: entities };
}

export interface SentQueries extends SentPage, Pick<SentSearch, 'query' | 'orFilters'> {
  readonly source?: string | null;
  readonly datasetUrn?: string | null;
  readonly sortInput?: {
    readonly sortCriterion: { readonly field: string; readonly sortOrder: 'ASCENDING' | 'DESCENDING' };
  } | null;
}

/** Lists queries, the last changed first unless the call says otherwise. */
export async function listQueries(
  scope: CallScope,
  { source, datasetUrn, sortInput, ...sent }: SentQueries,
): Promise<object> {
  const filters: readonly SentCriterion[] = [
    ...(source === undefined || source === null ? [] : [{ field: 'source', values: [source] }]),
    ...(datasetUrn === undefined || datasetUrn === null ? [] : [{ field: 'entities', values: [datasetUrn] }]),
  ];
  const { entities, ...rest } = await list(scope, {
    ...sent,
    types: ['QUERY'],
    filters,
    sortInput: sortInput ?? newestBy('lastModifiedAt'),
  });
  return { ...rest, queries: entities };
}

/** Searches among the entities of a domain. */
export function findInDomain(
  scope: CallScope,
  { urn }: EntityRef,
  { filters, ...sent }: SentSearch & SentPage,
): Promise<object> {
  return findPage(scope, { ...sent, filters: [...(filters ?? []), { field: 'domains', values: [urn] }] });
}

/** Lists the documents that name an entity. */
export async function listRelatedDocuments(
  scope: CallScope,
  { urn }: EntityRef,
  page: SentPage,
): Promise<object> {
  const { entities, ...rest } = await list(scope, {
    start: page.start ?? 0,
    count: page.count ?? 10,
    types: ['DOCUMENT'],
    filters: [{ field: 'relatedAssets', values: [urn] }],
  });
  return { ...rest, documents: entities };
}
