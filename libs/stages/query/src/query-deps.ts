import type { SearchDeps } from './search/search-entities';
import type { ReadDeps } from './entities/view-entities';

/** Dependencies of the reading routes. */
export interface QueryDeps extends ReadDeps, SearchDeps {
  /** Longest wait of a search for the position that its header requests. */
  readonly positionTimeoutMs: number;
}

export const QUERY_DEPS = Symbol('query dependencies');
