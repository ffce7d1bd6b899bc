import type { GraphQLResolveInfo } from 'graphql';
import { valueAt, type JsonValue } from '@stratalog/json';
import type { CallScope } from '../call-scope';
import type { EntityRef } from '../fields/values';
import type { SentCriterion, SentPage, SentSearch } from '../filters/sent-search';
import { selects } from '../text/selects';
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

/** Lists the types of ownership, by their names. */
export async function listOwnershipTypes(
  scope: CallScope,
  sent: SentPage & Pick<SentSearch, 'query' | 'filters'>,
): Promise<object> {
  const { entities, ...rest } = await list(scope, { ...sent, types: ['CUSTOM_OWNERSHIP_TYPE'] });
  return { ...rest, ownershipTypes: entities };
}

/** Lists the incidents about an entity, the last raised first. */
export async function listIncidents(
  scope: CallScope,
  { urn }: EntityRef,
  { state, ...page }: SentPage & { readonly state?: string | null },
): Promise<object> {
  const { entities, ...rest } = await list(scope, {
    ...page,
    types: ['INCIDENT'],
    filters: [
      { field: 'entities', values: [urn] },
      ...(state === undefined || state === null ? [] : [{ field: 'state', values: [state] }]),
    ],
    sortInput: newestBy('created'),
  });
  return { ...rest, incidents: entities };
}

/** Searches among the entities of a domain. */
export function findInDomain(
  scope: CallScope,
  { urn }: EntityRef,
  { filters, ...sent }: SentSearch & SentPage,
  info: GraphQLResolveInfo,
): Promise<object> {
  const inDomain = [...(filters ?? []), { field: 'domains', values: [urn] }];
  return findPage(scope, { ...sent, filters: inDomain }, { hasFacets: selects(info, 'facets') });
}

/** Searches among the entities of a data product, which names them itself. */
export async function findInProduct(
  scope: CallScope,
  { urn }: EntityRef,
  sent: SentSearch & SentPage,
  info: GraphQLResolveInfo,
): Promise<object> {
  const assets = valueAt(await scope.loader.aspect(urn, 'dataProductProperties'), ['assets']);
  const urns = (Array.isArray(assets) ? assets : []).flatMap((asset: JsonValue) => {
    const named = valueAt(asset, ['destinationUrn']);
    return typeof named === 'string' ? [named] : [];
  });
  return findPage(scope, sent, { hasFacets: selects(info, 'facets'), urns });
}

export interface SentDocuments extends SentPage {
  readonly parentDocuments?: readonly string[] | null;
  readonly rootOnly?: boolean | null;
  readonly types?: readonly string[] | null;
  readonly domains?: readonly string[] | null;
  readonly sourceType?: string | null;
}

/** Lists the documents that name an entity. */
export async function listRelatedDocuments(
  scope: CallScope,
  { urn }: EntityRef,
  { start, count, parentDocuments, rootOnly, types, domains, sourceType }: SentDocuments,
): Promise<object> {
  const among = (field: string, values: readonly string[] | null | undefined): readonly SentCriterion[] =>
    values === undefined || values === null ? [] : [{ field, values }];
  const { entities, ...rest } = await list(scope, {
    start: start ?? 0,
    count: count ?? 10,
    types: ['DOCUMENT'],
    filters: [
      ...among('relatedAssets', [urn]),
      ...among('parentDocument', parentDocuments),
      ...(rootOnly === true ? [{ field: 'parentDocument', condition: 'EXISTS', negated: true }] : []),
      ...among('typeNames', types),
      ...among('domains', domains),
      ...(sourceType === undefined || sourceType === null ? [] : among('sourceType', [sourceType])),
    ],
  });
  return { ...rest, documents: entities };
}
