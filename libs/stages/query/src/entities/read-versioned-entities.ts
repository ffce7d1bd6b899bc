import { InvalidRequestError, type JsonOutputObject } from '@stratalog/model';
import { parseBatch } from './parse-batch';
import { entityNamed, entityTypeNamed, type NamedEntity } from '@stratalog/registry';
import { toEntityBody } from './read-entity';
import { parseVersionedUrn, type VersionedUrn } from './versioned-urn';
import {
  keyFirst,
  rejectLongAnswer,
  rejectManyUrns,
  viewEntity,
  type AspectView,
  type EntityView,
  type ReadDeps,
} from './view-entities';

export interface VersionedQuery {
  readonly entityType: string;
  /** Each a urn, or a urn with its version stamp. */
  readonly ids: readonly string[];
  readonly aspectNames?: readonly string[];
}

/**
 * Entities of one type with their aspects at the versions that each urn's stamp names; a urn without stamp with its latest ones.
 * Versions that are not there are left out.
 *
 * **Shape**: the batch of `GET /entitiesV2?ids=`, by urn; an aspect's `version` is the one that the stamp names.
 *
 * **Errors**: `InvalidRequestError` for a urn that is malformed or of another type, and for a stamp that is none.
 *
 * **Source**: entity and aspect behaviour, section 3.
 */
export async function readVersionedEntities(
  parts: ReadDeps,
  { entityType, ids, aspectNames = [] }: VersionedQuery,
): Promise<JsonOutputObject> {
  const wantedType = entityTypeNamed(parts.registry, entityType);
  rejectManyUrns(ids);
  const asked = ids.map(parseVersionedUrn).map((id) => ({ id, named: entityNamed(parts.registry, id.urn) }));
  for (const { named } of asked) {
    if (named.entityType === wantedType) continue;
    throw new InvalidRequestError(`Parameter 'ids': ${named.urn} is not of entity type ${wantedType.name}`);
  }
  const results: [string, JsonOutputObject][] = [];
  let length = 0;
  for (const { id, named } of asked) {
    const isLatest = id.versions.size === 0;
    const view = isLatest
      ? await viewEntity(parts, id.urn, aspectNames)
      : await viewAt(parts, named, stampedOnly(id, aspectNames));
    length += view.aspects.reduce((sum, { value }) => sum + value.length, 0);
    rejectLongAnswer(length);
    results.push([id.urn, toEntityBody(view)]);
  }
  return parseBatch(results);
}

function stampedOnly({ versions }: VersionedUrn, aspectNames: readonly string[]): VersionedUrn['versions'] {
  const isWanted = (name: string): boolean => aspectNames.length === 0 || aspectNames.includes(name);
  return new Map([...versions].filter(([name]) => isWanted(name)));
}

async function viewAt(
  parts: ReadDeps,
  named: NamedEntity,
  versions: VersionedUrn['versions'],
): Promise<EntityView> {
  const aspects: AspectView[] = [];
  for (const [name, version] of versions) {
    if (!named.entityType.aspects.has(name)) continue;
    const view = await aspectAt(parts, named.urn, name, version);
    if (view !== undefined) aspects.push(view);
  }
  return { ...named, aspects: keyFirst(parts, named, aspects) };
}

async function aspectAt(
  parts: ReadDeps,
  urn: string,
  name: string,
  version: number,
): Promise<AspectView | undefined> {
  if (version === 0) {
    const { aspects } = await viewEntity(parts, urn, [name]);
    return aspects.find((aspect) => aspect.name === name && aspect.systemMetadata !== undefined);
  }
  const found = await parts.store.readVersion(urn, name, version);
  if (found === undefined) return undefined;
  return { ...found, name, systemMetadata: { ...found.systemMetadata, version: String(found.version) } };
}
