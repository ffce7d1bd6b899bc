import { RawJson, type JsonOutputObject } from '@stratalog/model';
import { batchOf } from './batch-of';
import { viewEntitiesAt, viewEntityAt } from './view-entities-at';
import { viewEntities, viewEntity, type AspectView, type EntityView, type ReadParts } from './view-entities';

export interface ReadOptions {
  readonly aspectNames?: readonly string[] | undefined;
  /** Epoch ms: the entity as it was then, instead of as it is. */
  readonly asOf?: number | undefined;
}

/**
 * An entity with its latest aspects: all, or those that are asked for. It is there for every urn of a known type, so that this call is
 * no test of existence.
 *
 * **Shape**: `{urn, entityName, aspects: {<name>: {name, type, version, value, created, systemMetadata}}}`; of the past also `asOf`,
 * and `lost` with the names of aspects whose value of then is not kept.
 *
 * **Errors**: `InvalidRequestError` when the urn is malformed or its type unknown. Unknown aspect names are passed over.
 *
 * **Source**: contract, `GET /entitiesV2/<urn>`; entity and aspect behaviour, section 3.
 */
export async function readEntity(
  parts: ReadParts,
  urn: string,
  { aspectNames, asOf }: ReadOptions = {},
): Promise<JsonOutputObject> {
  if (asOf === undefined) return entityBodyOf(await viewEntity(parts, urn, aspectNames));
  return pastBodyOf(await viewEntityAt(parts, { urn, asOf, aspectNames }), asOf);
}

/**
 * Several entities at once, of one type or of many.
 *
 * **Shape**: `{results: {<urn>: <as one is read>}, statuses: {}, errors: {}}`.
 *
 * **Errors**: as for one; one wrong urn refuses all.
 */
export async function readEntities(
  parts: ReadParts,
  urns: readonly string[],
  { aspectNames, asOf }: ReadOptions = {},
): Promise<JsonOutputObject> {
  if (asOf === undefined) {
    const views = await viewEntities(parts, urns, aspectNames);
    return batchOf(views.map((view) => [view.urn, entityBodyOf(view)]));
  }
  const views = await viewEntitiesAt(parts, { urns, asOf, aspectNames });
  return batchOf(views.map((view) => [view.urn, pastBodyOf(view, asOf)]));
}

function pastBodyOf(view: EntityView, asOf: number): JsonOutputObject {
  return { ...entityBodyOf(view), asOf, lost: lostMember(view.lost ?? []) };
}

/** The member that says what retention or deletion took; it is there only when something was taken. */
function lostMember(names: readonly string[]): readonly string[] | undefined {
  return names.length === 0 ? undefined : names;
}

export function entityBodyOf({ urn, entityType, aspects }: EntityView): JsonOutputObject {
  const envelopes = aspects.map((aspect): [string, JsonOutputObject] => [aspect.name, envelopeOf(aspect)]);
  return { urn, entityName: entityType.name, aspects: Object.fromEntries(envelopes) };
}

function envelopeOf({ name, version, value, created, systemMetadata }: AspectView): JsonOutputObject {
  return {
    name,
    type: 'VERSIONED',
    version,
    value: new RawJson(value),
    created: { time: created.time, actor: created.actor },
    systemMetadata,
  };
}
