import { RawJson, parseInSteps, type JsonOutputObject, type JsonValue, type Steps } from '@stratalog/model';
import { inSlices, type PastChange } from '@stratalog/ports';
import { type Difference, compareValues, entityNamed, type EntityType } from '@stratalog/registry';
import type { ReadDeps } from './view-entities';

export interface TimelineRequest {
  readonly urn: string;
  readonly aspectNames?: readonly string[] | undefined;
  /** Epoch ms, both included. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly count: number;
  /** Where the page before ended. */
  readonly cursor?: number | undefined;
}

/** A change that rewrites thousands of fields tells the first of them. */
const MAX_DIFFERENCES = 1_000;

/**
 * What was changed of an entity, when, by whom, and at which places, the newest change first, a page at a time.
 *
 * **Shape**: `{urn, entityName, changes: [{time, actor, aspectName, version, kind, systemMetadata, differences: [{path, kind, oldValue,
 * newValue}]}], next}`; `next` is the cursor of the page that follows and absent on the last. A change whose value, or the one before, is
 * not kept any more has no differences and says `isCut`.
 *
 * **Errors**: `InvalidRequestError` when the urn is malformed or its type unknown. An entity that nobody wrote has no changes.
 */
export async function readTimeline(
  { history, registry }: ReadDeps,
  question: TimelineRequest,
): Promise<JsonOutputObject> {
  const { urn, aspectNames = [], startTime, endTime, count, cursor } = question;
  const { entityType } = entityNamed(registry, urn);
  const page = await history.listChanges({
    urn,
    limit: count,
    ...(aspectNames.length > 0 && { aspectNames }),
    ...(startTime !== undefined && { sinceMs: startTime }),
    ...(endTime !== undefined && { untilMs: endTime }),
    ...(cursor !== undefined && { beforeSeq: cursor }),
  });
  const last = page.changes.at(-1);
  return {
    urn,
    entityName: entityType.name,
    changes: await inSlices(changeBodiesOf(page.changes, entityType)),
    next: page.hasMore && last !== undefined ? String(last.seq) : undefined,
  };
}

type ChangeName = 'CREATED' | 'CHANGED' | 'DELETED';

function* changeBodiesOf(
  changes: readonly PastChange[],
  entityType: EntityType,
): Steps<readonly JsonOutputObject[]> {
  const bodies: JsonOutputObject[] = [];
  for (const change of changes) {
    bodies.push(yield* toChangeBody(change, entityType));
    yield;
  }
  return bodies;
}

function* toChangeBody(change: PastChange, entityType: EntityType): Steps<JsonOutputObject> {
  const { aspectName, version, created, systemMetadata } = change;
  const kind = nameOf(change);
  return {
    time: created.time,
    actor: created.actor,
    aspectName,
    version,
    kind,
    systemMetadata: { ...systemMetadata, version: String(version) },
    ...(yield* differenceMembers(change, kind, entityType)),
  };
}

function nameOf({ kind, previous }: PastChange): ChangeName {
  if (kind === 'delete') return 'DELETED';
  return previous?.kind === 'upsert' ? 'CHANGED' : 'CREATED';
}

function* differenceMembers(
  change: PastChange,
  kind: ChangeName,
  entityType: EntityType,
): Steps<JsonOutputObject> {
  const before = change.previous?.value;
  const lacksOld = kind !== 'CREATED' && before === undefined;
  const lacksNew = kind !== 'DELETED' && change.value === undefined;
  const isFirstKept = change.previous === undefined && change.version > 1;
  const aspect = entityType.aspects.get(change.aspectName);
  // Points went, which have no history of their own.
  if (aspect?.kind === 'timeseries') return { differences: [] };
  const schema = aspect?.record;
  if (lacksOld || lacksNew || isFirstKept || schema === undefined) return { differences: [], isCut: true };
  // A value that comes or goes as a whole is told as it is stored.
  if (kind === 'CREATED')
    return { differences: [{ path: '', kind: 'added', newValue: rawOf(change.value) }] };
  if (kind === 'DELETED') return { differences: [{ path: '', kind: 'removed', oldValue: rawOf(before) }] };
  const [oldValue, newValue] = [yield* jsonOf(before), yield* jsonOf(change.value)];
  const all = yield* compareValues(schema, oldValue, newValue, MAX_DIFFERENCES + 1);
  const shown = all.slice(0, MAX_DIFFERENCES).map(toDifferenceBody);
  return { differences: shown, isCut: all.length > MAX_DIFFERENCES ? true : undefined };
}

function* jsonOf(text: string | undefined): Steps<JsonValue | undefined> {
  return text === undefined ? undefined : (yield* parseInSteps(text)).value;
}

function rawOf(text: string | undefined): RawJson | undefined {
  return text === undefined ? undefined : new RawJson(text);
}

function toDifferenceBody({ path, kind, oldValue, newValue }: Difference): JsonOutputObject {
  return { path, kind, oldValue, newValue };
}
