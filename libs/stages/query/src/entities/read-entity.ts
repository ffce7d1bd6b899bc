import { RawJson, type JsonOutputObject } from '@stratalog/json';
import { toBatchAnswer } from './to-batch-answer';
import { viewEntitiesAt, viewEntityAt } from './view-entities-at';
import { viewEntities, viewEntity, type AspectView, type EntityView, type ReadDeps } from './view-entities';

export interface ReadOptions {
  readonly aspectNames?: readonly string[] | undefined;
  /** Epoch ms: reads the entity as of this time instead of the latest state. */
  readonly asOf?: number | undefined;
}

/**
 * Reads an entity with its latest aspects: all, or the requested ones. Any urn of a known type has an answer, so this
 * is no test of existence.
 *
 * **Shape**: `{urn, entityName, aspects: {<name>: {name, type, version, value, created, systemMetadata}}}`. With
 * `asOf` also `asOf`, and `lost` with the names of aspects whose value at that time is purged.
 *
 * **Errors**: `InvalidRequestError` when the urn is malformed or its type unknown. Unknown aspect names are ignored.
 *
 * **Source**: `docs/wire-decisions.md`, Reading.
 */
export async function readEntity(
  deps: ReadDeps,
  urn: string,
  { aspectNames, asOf }: ReadOptions = {},
): Promise<JsonOutputObject> {
  if (asOf === undefined) return toEntityBody(await viewEntity(deps, urn, aspectNames));
  return toPastBody(await viewEntityAt(deps, { urn, asOf, aspectNames }), asOf);
}

/**
 * Reads several entities, of one type or of many.
 *
 * **Shape**: `{results: {<urn>: <as in a single read>}, statuses: {}, errors: {}}`.
 *
 * **Errors**: those of a single read; one wrong urn rejects all.
 */
export async function readEntities(
  deps: ReadDeps,
  urns: readonly string[],
  { aspectNames, asOf }: ReadOptions = {},
): Promise<JsonOutputObject> {
  if (asOf === undefined) {
    const views = await viewEntities(deps, urns, aspectNames);
    return toBatchAnswer(views.map((view) => [view.urn, toEntityBody(view)]));
  }
  const views = await viewEntitiesAt(deps, { urns, asOf, aspectNames });
  return toBatchAnswer(views.map((view) => [view.urn, toPastBody(view, asOf)]));
}

function toPastBody(view: EntityView, asOf: number): JsonOutputObject {
  return { ...toEntityBody(view), asOf, lost: lostMember(view.lost ?? []) };
}

/** Returns the names of purged aspects, or `undefined` (no member) when there are none. */
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
