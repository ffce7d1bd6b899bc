import type { SearchEngine } from './search-engine';
import { toFailure, translateError } from './translate-error';

/**
 * Sets the number of slices that OpenSearch divides a shard of an index into for a search with facets; a processor searches each. OpenSearch
 * has the settings since version 2.17. Elasticsearch chooses by itself. An engine that rejects them, as some hosted ones do, keeps its own.
 *
 * **Errors**: `UnavailableError`.
 */
export async function setSlices(
  { client, product }: SearchEngine,
  index: string,
  slices: number,
): Promise<void> {
  if (product !== 'opensearch') return;
  const settings =
    slices === 1
      ? { 'search.concurrent_segment_search.mode': 'none' }
      : { 'search.concurrent_segment_search.mode': 'auto', 'search.concurrent.max_slice_count': slices };
  try {
    await client.indices.putSettings({ index, settings });
  } catch (error) {
    const status = toFailure(error)?.status ?? 0;
    if (status !== 400 && status !== 403) throw translateError(error);
  }
}
