import { InvalidRequestError, parseUrn } from '@stratalog/domain';
import { RawJson, type JsonOutput, type JsonOutputObject } from '@stratalog/json';
import type { SnapshotType } from '@stratalog/registry';
import { toBatchAnswer } from './to-batch-answer';
import { viewEntities, viewEntity, type EntityView, type ReadDeps } from './view-entities';

/**
 * Reads an entity in the form of its legacy snapshot: the latest aspects within the snapshot's union, the key aspect
 * first.
 *
 * **Shape**: `{value: {<snapshot record>: {urn, aspects: [{<record>: <fields>}]}}}`. A glossary term also has the
 * fields of `ownership` and `glossaryTermInfo` next to `aspects`, as the contract shows.
 *
 * **Errors**: `InvalidRequestError` when the urn is malformed, its type unknown or without a snapshot.
 *
 * **Source**: `docs/wire-decisions.md`, Reading.
 */
export async function readSnapshot(
  deps: ReadDeps,
  urn: string,
  aspectNames?: readonly string[],
): Promise<JsonOutputObject> {
  const shortUrn = termWithoutGroup(urn);
  if (shortUrn !== undefined && (await deps.store.readEntity(urn, [])) === undefined) {
    return readSnapshot(deps, shortUrn, aspectNames);
  }
  return toSnapshotBody(deps, await viewEntity(deps, urn, aspectNames));
}

/**
 * Reads several entities, of one type or of many, in the envelope of a batch get.
 *
 * **Errors**: those of a single read; one wrong urn rejects all.
 */
export async function readSnapshots(
  deps: ReadDeps,
  urns: readonly string[],
  aspectNames?: readonly string[],
): Promise<JsonOutputObject> {
  const views = await viewEntities(deps, urns, aspectNames);
  return toBatchAnswer(views.map((view) => [view.urn, toSnapshotBody(deps, view)]));
}

const TERM = 'glossaryTerm';
/** Aspects that a glossary term's snapshot repeats next to its list. */
const TERM_MEMBERS: ReadonlySet<string> = new Set(['ownership', 'glossaryTermInfo']);

/** Removes the group from a glossary term's urn: a path may contain `(group,name)`, but the term's id is `name`. */
function termWithoutGroup(urn: string): string | undefined {
  const parsed = parseUrn(urn);
  if (!('urn' in parsed)) return undefined;
  const { namespace, entityType, id, parts } = parsed.urn;
  const [, name] = parts;
  const hasGroup = entityType === TERM && id.startsWith('(') && parts.length === 2;
  return hasGroup && name !== undefined ? `urn:${namespace}:${TERM}:${name}` : undefined;
}

function toSnapshotBody({ registry }: ReadDeps, view: EntityView): JsonOutputObject {
  const { name } = view.entityType;
  const snapshot = registry.snapshots.get(name);
  if (snapshot === undefined) {
    throw new InvalidRequestError(`Entity ${name} has no snapshot; read it with GET /entitiesV2/<urn>`);
  }
  const shown = view.aspects.flatMap(({ name: aspectName, value }) => {
    const recordName = recordNameIn(snapshot, aspectName);
    return recordName === undefined ? [] : [{ aspectName, recordName, fields: new RawJson(value) }];
  });
  const direct: Record<string, JsonOutput> = {};
  for (const { aspectName, fields } of shown) {
    if (name === TERM && TERM_MEMBERS.has(aspectName)) direct[aspectName] = fields;
  }
  const aspects = shown.map(({ recordName, fields }) => ({ [recordName]: fields }));
  return { value: { [snapshot.recordName]: { urn: view.urn, aspects, ...direct } } };
}

function recordNameIn({ entityType, aspects }: SnapshotType, aspectName: string): string | undefined {
  const recordName = entityType.aspects.get(aspectName)?.recordName;
  return recordName !== undefined && aspects.has(recordName) ? recordName : undefined;
}
