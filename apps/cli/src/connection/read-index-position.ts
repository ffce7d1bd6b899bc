import type { FetchedAnswer } from '@stratalog/client';
import type { CatalogClient } from './catalog-client';

/**
 * Searches for nothing, to learn the position of the index from the headers of the answer; `waitFor` is one that it must have
 * reached before it answers.
 */
export async function readIndexPosition(
  client: CatalogClient,
  waitFor?: string,
): Promise<FetchedAnswer['headers']> {
  const query = { entity: 'dataset', input: '*', start: 0, count: 0 };
  const options = waitFor === undefined ? {} : { headers: { 'X-Stratalog-Wait-For': waitFor } };
  return (await client.call('POST /entities?action=search', query, options)).headers;
}
