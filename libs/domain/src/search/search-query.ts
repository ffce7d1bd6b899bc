import type { FieldOrder, PlaceInOrder, SearchFilter } from './search-filter';

/**
 * A parsed query. The analysis that produced the documents' tokens produces its tokens. An absent `field` means every
 * field that is searched by default.
 */
export type QueryNode =
  /** Matches every document. */
  | { readonly kind: 'all' }
  /** Matches no document: the query has no term that can match. */
  | { readonly kind: 'none' }
  /**
   * Matches any of the tokens at any position: a word, with its stem and its synonyms, which `synonyms` lists once more. `isQuoted` is
   * true of a word in quotes, without stem and synonyms. `joins` names the words that it writes as one, and that it stands for.
   */
  | {
      readonly kind: 'word';
      readonly field?: string;
      readonly anyOf: readonly string[];
      readonly synonyms?: readonly string[];
      readonly isQuoted?: true;
      readonly joins?: readonly string[];
    }
  /** Matches the tokens at consecutive positions of one field value; the last may be a prefix. */
  | {
      readonly kind: 'phrase';
      readonly field?: string;
      readonly tokens: readonly string[];
      readonly prefix: boolean;
      /** The token of a path or name that consists of just these words, which matches too. */
      readonly path?: string;
      /** Synonyms of each token, used only to rank: phrases with `isSynonym` match the documents that have them. Absent: none. */
      readonly synonyms?: readonly (readonly string[])[];
      /** True when another phrase has the tokens as synonyms, so that rankings leave this one out. */
      readonly isSynonym?: boolean;
    }
  /** Matches words of 2 to 40 ASCII letters and digits that contain the part, or end with it. */
  | { readonly kind: 'infix'; readonly field?: string; readonly part: string; readonly isEnd: boolean }
  /** Matches the whole value of a keyword-like field. */
  | { readonly kind: 'exact'; readonly field: string; readonly token: string }
  /** Matches the start of a value of a field for autocompletion, folded as {@link FieldTokens.completions}. */
  | { readonly kind: 'completion'; readonly field: string; readonly start: string }
  /** Matches any value of the field. */
  | { readonly kind: 'exists'; readonly field: string }
  | { readonly kind: 'and'; readonly nodes: readonly QueryNode[] }
  | { readonly kind: 'or'; readonly nodes: readonly QueryNode[] }
  | { readonly kind: 'not'; readonly node: QueryNode };

/**
 * A part of the score of a match: the highest boost of its tests that the document passes, or `otherwise`. An index computes the score from
 * these parts alone: `fixed parts + weight of the document * (1 + other parts)`.
 */
export interface ScoreTerm {
  readonly cases: readonly ScoreCase[];
  /** True: the weight of the document does not multiply the boost. */
  readonly isFixed?: true;
  /** Boost of a document that passes no test, not above theirs; absent: 0. */
  readonly otherwise?: number;
}

export type ScoreCase = ScoreTest & { readonly boost: number };

type ScoreTest =
  /** A field of the tier, which is searched by default, has one of the words. */
  | { readonly kind: 'word'; readonly tier: ScoreTier; readonly anyOf: readonly string[] }
  /** A field of the tier, which is searched by default, has a word that begins with the text. */
  | { readonly kind: 'prefix'; readonly tier: ScoreTier; readonly start: string }
  /** A completion of the field equals the text, or begins with it. */
  | {
      readonly kind: 'completion';
      readonly field: string;
      readonly start: string;
      readonly isWhole: boolean;
    };

/** The tier of a field by its boost: `1` holds names, and `any` stands for the fields of all tiers. */
export type ScoreTier = 1 | 2 | 3 | 'any';

/** A request for one page of a search. */
export interface SearchRequest {
  readonly entityTypes: readonly string[];
  readonly query: QueryNode;
  /** The parts of the score of a hit; absent, or with an order: only the weight of the document. */
  readonly ranking?: readonly ScoreTerm[];
  /** Filter that hits must also satisfy; absent: none. */
  readonly filter?: SearchFilter;
  /** Urns that hits, and the matches of facets, must be among, at most 20,000; absent: any. */
  readonly urns?: readonly string[];
  /** True: the search includes soft-deleted entities. */
  readonly includesSoftDeleted?: boolean;
  /** Orders by these fields and then by urn, instead of by score; an empty list orders by urn alone. */
  readonly order?: readonly FieldOrder[];
  /** Returns only hits after this cursor. `start` is then 0, and the total includes the hits before it. */
  readonly after?: PlaceInOrder;
  /** Offset of the first hit, from 0. */
  readonly start: number;
  readonly count: number;
  readonly facets: readonly FacetRequest[];
  /** Most values per facet, the most frequent first, then by value. */
  readonly facetLimit: number;
}

/** A request to count the values of a field over all matches. */
export interface FacetRequest {
  /** One field, or two: then the pairs of their values within a document are counted. */
  readonly fields: readonly [string] | readonly [string, string];
  /** The filter of the counted matches, in place of the request's. */
  readonly filter?: SearchFilter;
  /** Values of the one field that are counted beyond the limit too. Those without a match are left out. */
  readonly always?: readonly string[];
}

export interface SearchHit {
  readonly urn: string;
  readonly score: number;
  readonly values: Readonly<Record<string, readonly (string | number | boolean)[]>>;
  /** The hit's key for each field of the requested order. */
  readonly keys: readonly (string | null)[];
}

/** The answer to one {@link FacetRequest}. */
export interface Facet {
  /** The most frequent first, then by value; `values` has one value per field of the request. */
  readonly counts: readonly { readonly values: readonly string[]; readonly count: number }[];
}

export interface SearchResult {
  /** Exact number of matches. */
  readonly total: number;
  /** Ordered by score and then by urn, unless the request has an order. */
  readonly hits: readonly SearchHit[];
  /** In the order of the request. */
  readonly facets: readonly Facet[];
}
