/** The inputs of searches, as the schema has checked them. */
export interface SentCriterion {
  readonly field: string;
  readonly values?: readonly string[] | null;
  readonly negated?: boolean | null;
  readonly condition?: string | null;
}

export interface SentSearch {
  readonly types?: readonly string[] | null;
  readonly query?: string | null;
  readonly count?: number | null;
  readonly filters?: readonly SentCriterion[] | null;
  readonly orFilters?: readonly { readonly and?: readonly SentCriterion[] | null }[] | null;
  readonly viewUrn?: string | null;
  readonly searchFlags?: SentFlags | null;
  readonly sortInput?: {
    readonly sortCriterion?: SentSort | null;
    readonly sortCriteria?: readonly SentSort[] | null;
  } | null;
}

interface SentFlags {
  readonly maxAggValues?: number | null;
  readonly fulltext?: boolean | null;
  readonly skipAggregates?: boolean | null;
  readonly includeSoftDeleted?: boolean | null;
  readonly includeStructuredPropertyFacets?: boolean | null;
  readonly filterNonLatestVersions?: boolean | null;
  readonly groupingSpec?: {
    readonly groupingCriteria?: readonly { readonly groupingEntityType: string }[] | null;
  } | null;
}

interface SentSort {
  readonly field: string;
  readonly sortOrder: 'ASCENDING' | 'DESCENDING';
}

export interface SentLineageSearch extends SentSearch {
  readonly urn?: string | null;
  readonly direction: 'UPSTREAM' | 'DOWNSTREAM';
  readonly startTimeMillis?: number | bigint | null;
  readonly endTimeMillis?: number | bigint | null;
  readonly lineageFlags?: {
    readonly entitiesExploredPerHopLimit?: number | null;
    readonly startTimeMillis?: number | bigint | null;
    readonly endTimeMillis?: number | bigint | null;
    readonly ignoreAsHops?: readonly object[] | null;
  } | null;
}

export interface SentPage {
  readonly start?: number | null;
  readonly count?: number | null;
}

export interface SentScroll {
  readonly scrollId?: string | null;
  readonly keepAlive?: string | null;
}
