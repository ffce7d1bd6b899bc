import { RawJson, type JsonOutputObject } from '@stratalog/model';
import { parseBatch } from './parse-batch';
import { viewEntitiesAt, viewEntityAt } from './view-entities-at';
import { viewEntities, viewEntity, type AspectView, type EntityView, type ReadDeps } from './view-entities';

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
  parts: ReadDeps,
  urn: string,
  { aspectNames, asOf }: ReadOptions = {},
): Promise<JsonOutputObject> {
  if (asOf === undefined) return toEntityBody(await viewEntity(parts, urn, aspectNames));
  return toPastBody(await viewEntityAt(parts, { urn, asOf, aspectNames }), asOf);
}

/**
 * Several entities at once, of one type or of many.
 *
 * **Shape**: `{results: {<urn>: <as one is read>}, statuses: {}, errors: {}}`.
 *
 * **Errors**: as for one; one wrong urn rejects all.
 */
export async function readEntities(
  parts: ReadDeps,
  urns: readonly string[],
  { aspectNames, asOf }: ReadOptions = {},
): Promise<JsonOutputObject> {
  if (asOf === undefined) {
    const views = await viewEntities(parts, urns, aspectNames);
    return parseBatch(views.map((view) => [view.urn, toEntityBody(view)]));
  }
  const views = await viewEntitiesAt(parts, { urns, asOf, aspectNames });
  return parseBatch(views.map((view) => [view.urn, toPastBody(view, asOf)]));
}

function toPastBody(view: EntityView, asOf: number): JsonOutputObject {
  return { ...toEntityBody(view), asOf, lost: lostMember(view.lost ?? []) };
}

/** The member that says what retention or deletion took; it is there only when something was taken. */
function lostMember(names: readonly string[]): readonly string[] | undefined {
  return names.length === 0 ? undefined : names;
}

export function toEntityBody({ urn, entityType, aspects }: EntityView): JsonOutputObject {
  const envelopes = aspects.map((aspect): [string, JsonOutputObject] => [aspect.name, toEnvelope(aspect)]);
  return { urn, entityName: entityType.name, aspects: Object.fromEntries(envelopes) };
}

function toEnvelope({ name, version, value, created, systemMetadata }: AspectView): JsonOutputObject {
  return {
    name,
    type: 'VERSIONED',
    version,
    value: new RawJson(value),
    created: { time: created.time, actor: created.actor },
    systemMetadata,
  };
}
