import type { AnswerOf } from '@stratalog/client';
import { CommandFailure, EXIT } from '../exit-code';
import { CallFailure, orFailure } from './call-failure';
import type { CatalogClient } from './catalog-client';

type Entity = AnswerOf<'GET /entitiesV2/:urn'>;

/**
 * Reads an entity with its aspects, or some of them.
 *
 * **Errors**: {@link CommandFailure} when there is no such entity.
 */
export async function requireEntity(
  client: CatalogClient,
  urn: string,
  aspects: readonly string[] = [],
): Promise<Entity> {
  const only = aspects.length === 0 ? {} : { aspects: [...aspects] };
  const { answer: entity } = await client.call('GET /entitiesV2/:urn', { urn, ...only });
  if (await isUnknown(client, urn, entity))
    throw new CommandFailure(`there is no entity ${urn}`, EXIT.rejected);
  return entity;
}

/**
 * The catalog answers an unknown urn with its key aspect, as if it existed; only the stored key aspect tells
 * the difference.
 */
async function isUnknown(client: CatalogClient, urn: string, { aspects }: Entity): Promise<boolean> {
  const names = Object.keys(aspects);
  const [name] = names;
  if (name === undefined) return true;
  if (names.length > 1 || !name.endsWith('Key')) return false;
  const stored = await orFailure(client.call('GET /aspects/:urn', { urn, aspect: name, version: 0 }));
  return stored instanceof CallFailure && stored.status === 404;
}
