import { parseSequences, type PartitionSequences, type SearchHit } from '@stratalog/domain';

/** A statement of a search. */
export interface SearchStatement {
  readonly text: string;
  readonly values: unknown[];
  /** True when the token index answers the statement. */
  readonly usesTokens: boolean;
  /** Set for statements with a constant text and one good plan; the server prepares them once per connection. */
  readonly name?: string;
}

/** As `facets_0`, `facets_1` ... the ids of the matches of each group of facets. */
export type FacetRow = Readonly<Record<FacetColumn, Buffer | null | undefined>>;

/** The facts of all matches of a search. */
export interface CountRow extends FacetRow {
  readonly total: number;
  /** The ids of the matches, if they are few and cost much to find. */
  readonly few?: readonly string[] | null;
  readonly position: Readonly<Record<string, number>> | null;
}

/** A hit; all members are `null` in the one row of a ranked search without hits. */
export interface HitRow {
  readonly urn: string | null;
  readonly score: number;
  /** The keys of an order. */
  readonly keys?: readonly (string | null)[];
  readonly body: string | null;
}

type FacetColumn = `facets_${number}`;

export function facetColumn(group: number): FacetColumn {
  return `facets_${group}`;
}

/** Returns the ids of the matches of a group of facets; `null` without a match. */
export function readMatches(counted: CountRow | undefined, group: number): Buffer | null {
  return counted?.[facetColumn(group)] ?? null;
}

export function readPosition(counted: CountRow | undefined): PartitionSequences {
  return parseSequences(counted?.position ?? {});
}

export function toHits(rows: readonly HitRow[]): readonly SearchHit[] {
  return rows.flatMap(({ urn, score, keys = [], body }) =>
    urn === null || body === null
      ? []
      : [{ urn, score, values: JSON.parse(body) as SearchHit['values'], keys }],
  );
}
