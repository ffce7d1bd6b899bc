import type { JsonObject } from '@stratalog/model';
import { CommandFailure, EXIT } from '../exit-code';
import { objectOf } from '../output/json-parts';
import { accepted } from './accepted';
import { objectIn } from './answer-json';
import type { CatalogClient } from './catalog-client';

/**
 * Reads an entity with its aspects, or some of them.
 *
 * **Errors**: {@link CommandFailure} when there is no such entity.
 */
export async function requireEntity(
  client: CatalogClient,
  urn: string,
  aspects: readonly string[],
): Promise<JsonObject> {
  const answer = await client.entity(urn, aspects);
  const body = objectIn(accepted(answer, client.address), client.address);
  if (await isUnknown(client, urn, body)) {
    throw new CommandFailure(`there is no entity ${urn}`, EXIT.rejected);
  }
  return body;
}

/**
 * The catalog answers an unknown urn with its key aspect, as if it existed; only the stored key aspect tells
 * the difference.
 */
async function isUnknown(client: CatalogClient, urn: string, body: JsonObject): Promise<boolean> {
  const names = Object.keys(objectOf(body.aspects));
  const [name] = names;
  if (name === undefined) return true;
  if (names.length > 1 || !name.endsWith('Key')) return false;
  return (await client.aspect(urn, name, 0)).status === 404;
}
