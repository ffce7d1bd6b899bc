import {
  InvalidRequestError,
  RawJson,
  parseUrn,
  type JsonOutput,
  type JsonOutputObject,
} from '@stratalog/model';
import type { SnapshotType } from '@stratalog/registry';
import { parseBatch } from './parse-batch';
import { viewEntities, viewEntity, type EntityView, type ReadDeps } from './view-entities';

/**
 * An entity in the form of its legacy snapshot: those of its latest aspects that the snapshot's union knows, the key aspect first.
 *
 * **Shape**: `{value: {<snapshot record>: {urn, aspects: [{<record>: <fields>}]}}}`; a glossary term's holds the fields of `ownership`
 * and `glossaryTermInfo` beside `aspects` too, as the contract shows them.
 *
 * **Errors**: `InvalidRequestError` when the urn is malformed, its type unknown or one without snapshot.
 *
 * **Source**: contract, `GET /entities/<urn>`; entity and aspect behaviour, section 2.1.
 */
export async function readSnapshot(
  parts: ReadDeps,
  urn: string,
  aspectNames?: readonly string[],
): Promise<JsonOutputObject> {
  const shortUrn = termWithoutGroup(urn);
  if (shortUrn !== undefined && (await parts.store.readEntity(urn, [])) === undefined) {
    return readSnapshot(parts, shortUrn, aspectNames);
  }
  return toSnapshotBody(parts, await viewEntity(parts, urn, aspectNames));
}

/** Several entities at once, of one type or of many, in the envelope of a batch get. **Errors**: as for one; one wrong urn rejects all. */
export async function readSnapshots(
  parts: ReadDeps,
  urns: readonly string[],
  aspectNames?: readonly string[],
): Promise<JsonOutputObject> {
  const views = await viewEntities(parts, urns, aspectNames);
  return parseBatch(views.map((view) => [view.urn, toSnapshotBody(parts, view)]));
}

const TERM = 'glossaryTerm';
/** What a glossary term's snapshot shows beside its list. */
const TERM_MEMBERS: ReadonlySet<string> = new Set(['ownership', 'glossaryTermInfo']);

/** A glossary term's path may name the group in front, `(group,name)`; the term itself is `name`. */
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
