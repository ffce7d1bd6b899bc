import { RawJson, parseInSteps, type JsonOutputObject, type JsonValue, type Steps } from '@stratalog/json';
import { inSlices } from '@stratalog/concurrency';
import type { PastChange } from '@stratalog/ports';
import { type Difference, compareValues, entityNamed, type EntityType } from '@stratalog/registry';
import type { ReadDeps } from './view-entities';

export interface TimelineRequest {
  readonly urn: string;
  readonly aspectNames?: readonly string[] | undefined;
  /** Epoch ms; both bounds are inclusive. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly count: number;
  /** `next` of the page before. */
  readonly cursor?: number | undefined;
}

/** Most differences of one change; the answer cuts off further ones. */
const MAX_DIFFERENCES = 1_000;

/**
 * Lists the changes of an entity with time, actor and paths, the newest first, one page at a time.
 *
 * **Shape**: `{urn, entityName, changes: [{time, actor, aspectName, version, kind, systemMetadata, differences:
 * [{path, kind, oldValue, newValue}]}], next}`. `next` is the cursor of the next page and absent on the last. A
 * change whose old or new value is purged has no differences and `isCut`.
 *
 * **Errors**: `InvalidRequestError` when the urn is malformed or its type unknown. An entity without a write has no
 * changes.
 */
export async function readTimeline(
  { history, registry }: ReadDeps,
  query: TimelineRequest,
): Promise<JsonOutputObject> {
  const { urn, aspectNames = [], startTime, endTime, count, cursor } = query;
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
    changes: await inSlices(toChangeBodies(page.changes, entityType)),
    next: page.hasMore && last !== undefined ? String(last.seq) : undefined,
  };
}

type ChangeName = 'CREATED' | 'CHANGED' | 'DELETED';

function* toChangeBodies(
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
  const kind = toChangeName(change);
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

/** Names a change by its kind and that of the version before it. */
export function toChangeName({ kind, previous }: Pick<PastChange, 'kind' | 'previous'>): ChangeName {
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
  // The change deleted timeseries values, which have no history.
  if (aspect?.kind === 'timeseries') return { differences: [] };
  const schema = aspect?.record;
  if (lacksOld || lacksNew || isFirstKept || schema === undefined) return { differences: [], isCut: true };
  // A created or deleted value appears whole, as stored.
  if (kind === 'CREATED')
    return { differences: [{ path: '', kind: 'added', newValue: toRawJson(change.value) }] };
  if (kind === 'DELETED')
    return { differences: [{ path: '', kind: 'removed', oldValue: toRawJson(before) }] };
  const [oldValue, newValue] = [yield* parseValue(before), yield* parseValue(change.value)];
  const all = yield* compareValues(schema, oldValue, newValue, MAX_DIFFERENCES + 1);
  const shown = all.slice(0, MAX_DIFFERENCES).map(toDifferenceBody);
  return { differences: shown, isCut: all.length > MAX_DIFFERENCES ? true : undefined };
}

function* parseValue(text: string | undefined): Steps<JsonValue | undefined> {
  return text === undefined ? undefined : (yield* parseInSteps(text)).value;
}

function toRawJson(text: string | undefined): RawJson | undefined {
  return text === undefined ? undefined : new RawJson(text);
}

function toDifferenceBody({ path, kind, oldValue, newValue }: Difference): JsonOutputObject {
  return { path, kind, oldValue, newValue };
}
