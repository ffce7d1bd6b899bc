import type { CatalogClient } from '../connection/catalog-client';
import { toSearchPage } from '../output/search-page';

/** Most urns that are offered; a screen shows fewer. */
const MAX_OFFERED = 50;

/** Every urn of the catalog begins so. */
const URN_START = 'urn:li:';

/** True when a text is the beginning of a urn without its whole entity type. */
export function isBeforeType(prefix: string): boolean {
  return URN_START.startsWith(prefix) || /^urn:li:[^:]*$/.test(prefix);
}

/** Completes such a text to the beginnings of urns of each entity type. */
export function startUrns(types: readonly string[], prefix: string): readonly string[] {
  return types.map((type) => `${URN_START}${type}:`).filter((urn) => urn.startsWith(prefix));
}

/**
 * Completes a urn by the catalog: to the urns that begin with it, or, for any other text, to those of the entities that
 * autocompletion finds by it.
 *
 * **Order and repeats**: matching urns in their order, and the last one of all at the end, so that these have in common what all
 * have in common; others the best first.
 *
 * **Errors**: those of {@link CatalogClient.call}.
 */
export async function completeUrn(client: CatalogClient, prefix: string): Promise<readonly string[]> {
  const [, type] = /^urn:li:([^:]+):/.exec(prefix) ?? [];
  if (type === undefined) return findByName(client, prefix);
  const first = await findByStart(client, { type, prefix, order: 'ASCENDING', count: MAX_OFFERED });
  const last =
    first.length < MAX_OFFERED
      ? []
      : await findByStart(client, { type, prefix, order: 'DESCENDING', count: 1 });
  return [...new Set([...first, ...last])].filter((urn) => urn.startsWith(prefix));
}

async function findByName(client: CatalogClient, query: string): Promise<readonly string[]> {
  const { answer } = await client.call('POST /entities?action=autocomplete', { query, limit: MAX_OFFERED });
  return answer.entities.map(({ urn }) => urn);
}

interface UrnPrefix {
  readonly type: string;
  readonly prefix: string;
  readonly order: 'ASCENDING' | 'DESCENDING';
  readonly count: number;
}

async function findByStart(
  client: CatalogClient,
  { type, prefix, order, count }: UrnPrefix,
): Promise<readonly string[]> {
  const { answer } = await client.call('POST /entities?action=filter', {
    entity: type,
    filter: { or: [{ and: [{ field: 'urn', condition: 'START_WITH', value: prefix }] }] },
    sort: { field: 'urn', order },
    start: 0,
    count,
    searchFlags: { skipAggregates: true, skipHighlighting: true },
  });
  return toSearchPage(answer).hits.map(({ urn }) => urn);
}
