import {
  InvalidRequestError,
  MAX_SCHEMA_FIELD_URN_BYTES,
  isJsonObject,
  parseJson,
  type JsonOutputObject,
} from '@stratalog/model';
import { entityNamed, entityTypeNamed, nearAspect } from '@stratalog/registry';
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
      `Parameter 'aspect': the model has no aspect ${aspectName}${nearAspect(registry, aspectName)}`,
    );
  }
  if (urnLike !== undefined && urnLike.length > MAX_PATTERN_LENGTH) {
    throw new InvalidRequestError(
      `Parameter 'urnLike' is longer than ${String(MAX_PATTERN_LENGTH)} characters, and so than any urn`,
    );
  }
  if (urnLike !== undefined && isUnusable(urnLike)) {
    throw new InvalidRequestError("Parameter 'urnLike' ends with a backslash, or holds a NUL");
  }
  return store.countAspects(aspectName, urnLike);
}

/** Length of the longest urn with each character escaped. */
const MAX_PATTERN_LENGTH = 2 * MAX_SCHEMA_FIELD_URN_BYTES;

/** True for a pattern with an unpaired backslash at the end, or with a NUL. */
function isUnusable(pattern: string): boolean {
  const backslashes = /\\*$/.exec(pattern)?.[0].length ?? 0;
  return backslashes % 2 === 1 || pattern.includes('\u0000');
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
