import { InvalidRequestError } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import { rejectLongAnswer } from './batch-reads';
import { toBatchAnswer } from './to-batch-answer';
import type { AspectRef } from '@stratalog/ports';
import { entityNamed, entityTypeNamed, type EntityType, type NamedEntity } from '@stratalog/registry';
import { toEntityBody } from './read-entity';
import { parseVersionedUrn, type VersionedUrn } from './versioned-urn';
import {
  keyFirst,
  rejectManyUrns,
  viewEntity,
  type AspectView,
  type EntityView,
  type ReadDeps,
} from './view-entities';

export interface VersionedQuery {
  readonly entityType: string;
  /** Each id is a urn, or a urn with its version stamp. */
  readonly ids: readonly string[];
  readonly aspectNames?: readonly string[];
}

/**
 * Reads entities of one type with their aspects at the versions of each urn's stamp, or at the latest versions
 * without a stamp. Omits versions that do not exist.
 *
 * **Shape**: the batch of `GET /entitiesV2?ids=`, by urn; an aspect's `version` is the number in the stamp.
 *
 * **Errors**: `InvalidRequestError` for a urn that is malformed or of another type, and for a malformed stamp.
 *
 * **Source**: `docs/wire-decisions.md`, Reading.
 */
export async function readVersionedEntities(
  deps: ReadDeps,
  { entityType, ids, aspectNames = [] }: VersionedQuery,
): Promise<JsonOutputObject> {
  const wantedType = entityTypeNamed(deps.registry, entityType);
  rejectManyUrns(ids);
  const requested = ids
    .map(parseVersionedUrn)
    .map((id) => ({ id, named: entityOfType(deps, wantedType, { urn: id.urn, parameter: 'ids' }) }));
  return deps.batchReads.run(async (maxLength) => {
    const results: [string, JsonOutputObject][] = [];
    let length = 0;
    for (const { id, named } of requested) {
      const isLatest = id.versions.size === 0;
      const view = isLatest
        ? await viewEntity(deps, id.urn, aspectNames)
        : await viewAt(deps, named, selectVersions(id, aspectNames));
      length += view.aspects.reduce((sum, { value }) => sum + value.length, 0);
      rejectLongAnswer(length, maxLength);
      results.push([id.urn, toEntityBody(view)]);
    }
    return toBatchAnswer(results);
  });
}

/**
 * Returns the entity that a urn in a parameter names.
 *
 * **Errors**: `InvalidRequestError` for a urn that is malformed or of another type.
 */
export function entityOfType(
  { registry }: Pick<ReadDeps, 'registry'>,
  type: EntityType,
  { urn, parameter }: { readonly urn: string; readonly parameter: string },
): NamedEntity {
  const named = entityNamed(registry, urn);
  if (named.entityType === type) return named;
  throw new InvalidRequestError(`Parameter '${parameter}': ${urn} is not of entity type ${type.name}`);
}

function selectVersions(
  { versions }: VersionedUrn,
  aspectNames: readonly string[],
): VersionedUrn['versions'] {
  const isWanted = (name: string): boolean => aspectNames.length === 0 || aspectNames.includes(name);
  return new Map([...versions].filter(([name]) => isWanted(name)));
}

async function viewAt(
  deps: ReadDeps,
  named: NamedEntity,
  versions: VersionedUrn['versions'],
): Promise<EntityView> {
  const aspects: AspectView[] = [];
  for (const [name, version] of versions) {
    if (!named.entityType.aspects.has(name)) continue;
    const view = await aspectAt(deps, named.urn, name, version);
    if (view !== undefined) aspects.push(view);
  }
  return { ...named, aspects: keyFirst(deps, named, aspects) };
}

async function aspectAt(
  deps: ReadDeps,
  urn: string,
  name: string,
  version: number,
): Promise<AspectView | undefined> {
  if (version === 0) {
    const { aspects } = await viewEntity(deps, urn, [name]);
    return aspects.find((aspect) => aspect.name === name && aspect.systemMetadata !== undefined);
  }
  return readAspectVersion(deps, { urn, aspectName: name }, version);
}

/** Reads one aspect at a version above 0; `undefined` when there is none. */
export async function readAspectVersion(
  { store }: Pick<ReadDeps, 'store'>,
  { urn, aspectName: name }: AspectRef,
  version: number,
): Promise<AspectView | undefined> {
  const stored = await store.readVersion(urn, name, version);
  if (stored === undefined) return undefined;
  return { ...stored, name, systemMetadata: { ...stored.systemMetadata, version: String(stored.version) } };
}
