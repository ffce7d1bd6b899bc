import { UnavailableError } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import { entityNamed } from '@stratalog/registry';
import type { SearchDeps } from '../search/query-index';

/**
 * Reads what the search index holds of entities, as it holds it.
 *
 * **Shape**: by urn: `urn` and the values by field. Entities that the index does not hold are left out.
 *
 * **Errors**: `InvalidRequestError` for a malformed urn; `UnavailableError` while the first index is being built.
 */
export async function readRawDocuments(
  { registry, searchIndexes }: Pick<SearchDeps, 'registry' | 'searchIndexes'>,
  urns: readonly string[],
): Promise<JsonOutputObject> {
  for (const urn of urns) entityNamed(registry, urn);
  const index = await searchIndexes.live();
  if (index === undefined) throw new UnavailableError('The search index is being built');
  const values = await index.readValues([...new Set(urns)]);
  return Object.fromEntries([...values].map(([urn, fields]) => [urn, { ...fields, urn }]));
}
