import { RawJson, type JsonOutputObject } from '@stratalog/json';
import { entityTypeNamed, type EntityType } from '@stratalog/registry';
import { rejectLongAnswer } from '../entities/batch-reads';
import { entityOfType } from '../entities/read-versioned-entities';
import { viewEntities, type EntityView, type ReadDeps } from '../entities/view-entities';
import { readSingleAspects, type ListedAspect, type ListedEntity } from './read-single-aspects';

export interface ListQuery {
  readonly entityType: string;
  readonly entities: readonly ListedEntity[];
  /** True: each aspect has its system metadata and audit stamp. */
  readonly withMetadata: boolean;
  /** Name of the parameter that rejections of urns mention. */
  readonly parameter?: string;
}

/** An entity in the form of OpenAPI clients. */
export type OpenApiEntity = JsonOutputObject & { readonly urn: string };

/**
 * Reads entities of one type, each with the requested aspects at the requested versions. Leaves out entities that do
 * not exist, and aspects and versions that they do not have; ignores aspect names outside the entity type.
 *
 * **Shape**: `[{urn, <aspect>: {value, systemMetadata?, auditStamp?}}]`, in the order of the request.
 *
 * **Errors**: `InvalidRequestError` when a urn is malformed or of another type, when there are too many, and when the
 * answer would be too large.
 *
 * **Source**: `docs/wire-decisions.md`, Reading.
 */
export async function readEntityList(
  deps: ReadDeps,
  { entityType, entities, withMetadata, parameter = 'entities' }: ListQuery,
): Promise<readonly OpenApiEntity[]> {
  const type = entityTypeNamed(deps.registry, entityType);
  const urns = entities.map(({ urn }) => entityOfType(deps, type, { urn, parameter }).urn);
  const views = await viewEntities(deps, urns, namesOfLatest(type, entities));
  const viewOf = new Map(views.filter(exists).map((view) => [view.urn, view]));
  const existing = entities.filter(({ urn }) => viewOf.has(urn));
  const singles = await readSingleAspects(deps, type, existing);
  let length = 0;
  return existing.map((requested, at) => {
    const latest = (viewOf.get(requested.urn)?.aspects ?? []).filter(isLatestIn(requested));
    const aspects: readonly ListedAspect[] = [...latest, ...(singles[at] ?? [])];
    length += aspects.reduce((sum, { value }) => sum + value.length, 0);
    rejectLongAnswer(length, deps.batchReads.maxLength);
    const members = aspects.map((aspect) => [aspect.name, toMember(aspect, withMetadata)] as const);
    return { urn: requested.urn, ...Object.fromEntries(members) };
  });
}

/** The latest aspects that any of the entities requests; an entity without names requests all. */
function namesOfLatest(
  { keyAspect }: EntityType,
  entities: readonly ListedEntity[],
): readonly string[] | undefined {
  if (entities.some(({ versions }) => versions.size === 0)) return undefined;
  const latest = entities.flatMap(({ versions }) => [...versions].filter(([, version]) => version === 0));
  // The key aspect tells whether the entity exists.
  return [...new Set([keyAspect.name, ...latest.map(([name]) => name)])];
}

/** The view of an entity that does not exist has the key aspect of its urn, which no one wrote. */
function exists({ aspects: [key] }: EntityView): boolean {
  return key?.systemMetadata !== undefined;
}

function isLatestIn({ versions }: ListedEntity): (aspect: ListedAspect) => boolean {
  return ({ name }) => versions.size === 0 || versions.get(name) === 0;
}

function toMember({ value, systemMetadata, created }: ListedAspect, withMetadata: boolean): JsonOutputObject {
  if (!withMetadata) return { value: new RawJson(value) };
  const auditStamp = created === undefined ? undefined : { time: created.time, actor: created.actor };
  return { value: new RawJson(value), systemMetadata, auditStamp };
}
