import { cardAspects, toCard, readType, type EntityCard } from '../output/entity-card';
import type { CatalogClient } from './catalog-client';

/** Reads what people recognize entities by, by urn; an entity that is gone has no card. */
export async function readCards(
  client: CatalogClient,
  urns: readonly string[],
): Promise<ReadonlyMap<string, EntityCard>> {
  const cards = new Map<string, EntityCard>();
  for (let at = 0; at < urns.length; at += PAGE) {
    const page = urns.slice(at, at + PAGE);
    const query = { ids: page, aspects: [...cardAspects(page.map(readType))] };
    // Not every type has every aspect.
    const { answer } = await client.callQuietly('GET /entitiesV2', query);
    for (const [urn, { aspects }] of Object.entries(answer.results)) cards.set(urn, toCard(urn, aspects));
  }
  return cards;
}

/** Urns of one read: its address stays shorter than proxies allow. */
const PAGE = 20;
