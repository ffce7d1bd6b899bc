import { InvalidRequestError, urnPatternFault } from '@stratalog/domain';
import { isJsonObject, parseJson, type JsonOutputObject } from '@stratalog/json';
import { entityNamed, entityTypeNamed, suggestAspect } from '@stratalog/registry';
import type { ReadDeps } from '../entities/view-entities';

/**
 * Returns whether an entity exists. A hard-deleted entity does not; a soft-deleted one does, unless
 * `includeSoftDelete` is false.
 *
 * **Source**: `docs/wire-decisions.md`, Reading.
 */
export async function entityExists(
  { store, registry }: ReadDeps,
  urn: string,
  includeSoftDelete: boolean,
): Promise<boolean> {
  entityNamed(registry, urn);
  const entity = await store.readEntity(urn, ['status']);
  if (entity === undefined || entity.deleted) return false;
  return includeSoftDelete || !isRemoved(entity.aspects[0]?.value);
}

function isRemoved(status: string | undefined): boolean {
  const value = status === undefined ? undefined : parseJson(status);
  return isJsonObject(value) && value.removed === true;
}

export interface ListQuery {
  readonly entity: string;
  readonly start: number;
  readonly count: number;
}

/**
 * Lists the stored urns of one entity type in byte order, soft-deleted ones included.
 *
 * **Shape**: `{entities, start, count, total}`; `count` is the size of this page.
 */
export async function listUrns(
  { store, registry }: ReadDeps,
  { entity, start, count }: ListQuery,
): Promise<JsonOutputObject> {
  const { name } = entityTypeNamed(registry, entity);
  const prefix = `urn:${registry.urnNamespace}:${name}:`;
  const { urns, total } = await store.urnsWith({ prefix, start, count });
  return { entities: urns, start, count: urns.length, total };
}

/**
 * Counts the entities with an aspect; with `urnLike`, only those whose urn matches. `%` matches any text, `_` one
 * character, and a backslash escapes either.
 *
 * **Errors**: `InvalidRequestError` for an aspect outside the model, and for a pattern that is too long or malformed.
 */
export async function countAspects(
  { store, registry }: ReadDeps,
  aspectName: string,
  urnLike: string | undefined,
): Promise<number> {
  if (registry.aspect(aspectName) === undefined) {
    throw new InvalidRequestError(
      `Parameter 'aspect': the model has no aspect ${aspectName}${suggestAspect(registry, aspectName)}`,
    );
  }
  const fault = urnLike === undefined ? undefined : urnPatternFault(urnLike);
  if (fault !== undefined) throw new InvalidRequestError(`Parameter 'urnLike' ${fault}`);
  return store.countAspects(aspectName, urnLike);
}

/** Reads the browse paths of an entity; none when the entity has none or does not exist. */
export async function readBrowsePaths(
  { store, registry }: ReadDeps,
  urn: string,
): Promise<readonly string[]> {
  entityNamed(registry, urn);
  const entity = await store.readEntity(urn, ['browsePaths']);
  const [aspect] = entity?.aspects ?? [];
  const value = aspect === undefined ? undefined : parseJson(aspect.value);
  const paths = isJsonObject(value) ? value.paths : undefined;
  return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
}
