import { cardAspects, toCard, readType, type EntityCard } from '../output/entity-card';
import { objectOf } from '../output/json-parts';
import { accepted } from './accepted';
import { objectIn } from './answer-json';
import type { CatalogClient } from './catalog-client';

/** Reads what people recognize entities by, by urn; an entity that is gone has no card. */
export async function readCards(
  client: CatalogClient,
  urns: readonly string[],
): Promise<ReadonlyMap<string, EntityCard>> {
  const cards = new Map<string, EntityCard>();
  for (let at = 0; at < urns.length; at += PAGE) {
    const page = urns.slice(at, at + PAGE);
    const answer = await client.entities(page, cardAspects(page.map(readType)));
    const { results } = objectIn(accepted(answer, client.address), client.address);
    for (const [urn, entity] of Object.entries(objectOf(results)))
      cards.set(urn, toCard(urn, objectOf(entity)));
  }
  return cards;
}

/** Urns of one read: its address stays shorter than proxies allow. */
const PAGE = 20;
