import { parseJson, type JsonOutputObject, type JsonValue } from '@stratalog/model';
import type { PastChange } from '@stratalog/ports';
import { type Difference, differencesOf, entityNamed, type EntityType } from '@stratalog/registry';
import type { ReadParts } from './view-entities';

export interface TimelineQuestion {
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
  { history, registry }: ReadParts,
  question: TimelineQuestion,
): Promise<JsonOutputObject> {
  const { urn, aspectNames = [], startTime, endTime, count, cursor } = question;
  const { entityType } = entityNamed(registry, urn);
  const page = await history.changesOf({
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
    changes: page.changes.map((change) => changeBodyOf(change, entityType)),
    next: page.hasMore && last !== undefined ? String(last.seq) : undefined,
  };
}

type ChangeName = 'CREATED' | 'CHANGED' | 'DELETED';

function changeBodyOf(change: PastChange, entityType: EntityType): JsonOutputObject {
  const { aspectName, version, created, systemMetadata } = change;
  const kind = nameOf(change);
  return {
    time: created.time,
    actor: created.actor,
    aspectName,
    version,
    kind,
    systemMetadata: { ...systemMetadata, version: String(version) },
    ...differenceMembers(change, kind, entityType),
  };
}

function nameOf({ kind, previous }: PastChange): ChangeName {
  if (kind === 'delete') return 'DELETED';
  return previous?.kind === 'upsert' ? 'CHANGED' : 'CREATED';
}

function differenceMembers(change: PastChange, kind: ChangeName, entityType: EntityType): JsonOutputObject {
  const before = change.previous?.value;
  const lacksOld = kind !== 'CREATED' && before === undefined;
  const lacksNew = kind !== 'DELETED' && change.value === undefined;
  const isFirstKept = change.previous === undefined && change.version > 1;
  const aspect = entityType.aspects.get(change.aspectName);
  // Points went, which have no history of their own.
  if (aspect?.kind === 'timeseries') return { differences: [] };
  const schema = aspect?.record;
  if (lacksOld || lacksNew || isFirstKept || schema === undefined) return { differences: [], isCut: true };
  const all = differencesOf(schema, jsonOf(before), jsonOf(change.value));
  const shown = all.slice(0, MAX_DIFFERENCES).map(differenceBodyOf);
  return { differences: shown, isCut: all.length > MAX_DIFFERENCES ? true : undefined };
}

function jsonOf(text: string | undefined): JsonValue | undefined {
  return text === undefined ? undefined : parseJson(text);
}

function differenceBodyOf({ path, kind, oldValue, newValue }: Difference): JsonOutputObject {
  return { path, kind, oldValue, newValue };
}
