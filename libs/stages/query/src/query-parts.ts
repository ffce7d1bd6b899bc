import type { SearchDeps } from './search/search-entities';
import type { ReadDeps } from './entities/view-entities';

/** What the reading routes need. */
export interface QueryDeps extends ReadDeps, SearchDeps {
  /** How long a search waits for a position that it was asked to include. */
  readonly positionTimeoutMs: number;
}

export const QUERY_DEPS = Symbol('query parts');
