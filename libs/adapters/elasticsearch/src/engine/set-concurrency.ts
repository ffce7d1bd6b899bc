import type { SearchEngine } from './search-engine';
import { toFailure, translateError } from './translate-error';

/**
 * How many processors search one shard for one request: `several` for answers whose counts are checked, `one` where each slice of a
 * shard would make a page of groups inexact.
 */
export type SearchConcurrency = 'several' | 'one';

/** The most slices that OpenSearch itself chooses; a node of two processors is as fast with four as with two. */
const SLICES = 4;

const SETTINGS = {
  several: { 'search.concurrent_segment_search.mode': 'auto', 'search.concurrent.max_slice_count': SLICES },
  one: { 'search.concurrent_segment_search.mode': 'none' },
} as const satisfies Record<SearchConcurrency, object>;

/**
 * Sets the concurrency of an index of OpenSearch, which has the settings since version 2.17. Elasticsearch chooses by itself. An
 * engine that rejects them, as some hosted ones do, keeps its own.
 *
 * **Errors**: `UnavailableError`.
 */
export async function setConcurrency(
  { client, product }: SearchEngine,
  index: string,
  concurrency: SearchConcurrency,
): Promise<void> {
  if (product !== 'opensearch') return;
  try {
    await client.indices.putSettings({ index, settings: SETTINGS[concurrency] });
  } catch (error) {
    const status = toFailure(error)?.status ?? 0;
    if (status !== 400 && status !== 403) throw translateError(error);
  }
}
