import { RawJson, type JsonOutputObject } from '@stratalog/model';
import { batchOf } from './batch-of';
import { viewEntities, viewEntity, type AspectView, type EntityView, type ReadParts } from './view-entities';

/**
 * An entity with its latest aspects: all, or those that are asked for. It is there for every urn of a known type, so that this call is
 * no test of existence.
 *
 * **Shape**: `{urn, entityName, aspects: {<name>: {name, type, version, value, created, systemMetadata}}}`.
 *
 * **Errors**: `InvalidRequestError` when the urn is malformed or its type unknown. Unknown aspect names are passed over.
 *
 * **Source**: contract, `GET /entitiesV2/<urn>`; entity and aspect behaviour, section 3.
 */
export async function readEntity(
  parts: ReadParts,
  urn: string,
  aspectNames?: readonly string[],
): Promise<JsonOutputObject> {
  return entityBodyOf(await viewEntity(parts, urn, aspectNames));
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
  aspectNames?: readonly string[],
): Promise<JsonOutputObject> {
  const views = await viewEntities(parts, urns, aspectNames);
  return batchOf(views.map((view) => [view.urn, entityBodyOf(view)]));
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
