import type { SearchParts } from './search-entities';
import type { ReadParts } from './view-entities';

/** What the reading routes need. */
export interface QueryParts extends ReadParts, SearchParts {
  /** How long a search waits for a position that it was asked to include. */
  readonly positionTimeoutMs: number;
}

export const QUERY_PARTS = Symbol('query parts');
