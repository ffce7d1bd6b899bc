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
 * Whether an entity is there. One that was deleted is not; one that is hidden by its `status` counts unless it is left out.
 *
 * **Source**: entity and aspect behaviour, section 2.4.
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
 * The urns of one entity type that the store has, in byte order; hidden ones too.
 *
 * **Shape**: `{entities, start, count, total}`; `count` is how many came.
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
 * How many entities have an aspect; with `urnLike` those whose urn is like it: `%` stands for any text, `_` for one character, and a
 * backslash before either for itself.
 *
 * **Errors**: `InvalidRequestError` for an aspect that the model does not have, and a pattern that no urn could match because of its form.
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

/** The longest urn, a backslash before each of its characters. */
const MAX_PATTERN_LENGTH = 2 * MAX_SCHEMA_FIELD_URN_BYTES;

/** A backslash at the end stands before nothing; an even number of them are backslashes themselves. */
function isUnusable(pattern: string): boolean {
  const backslashes = /\\*$/.exec(pattern)?.[0].length ?? 0;
  return backslashes % 2 === 1 || pattern.includes('\u0000');
}

/** The browse paths of an entity; none for one that has none, or is not there. */
export async function browsePathsOf({ store, registry }: ReadDeps, urn: string): Promise<readonly string[]> {
  entityNamed(registry, urn);
  const entity = await store.readEntity(urn, ['browsePaths']);
  const [aspect] = entity?.aspects ?? [];
  const value = aspect === undefined ? undefined : parseJson(aspect.value);
  const paths = isJsonObject(value) ? value.paths : undefined;
  return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
}
