import { InvalidRequestError, isWithinLimits, type AccessLimits, entityTypeIn } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import type { AspectHistory, CatalogChange, ChangePlace } from '@stratalog/ports';
import { entityTypeNamed, type EntityRegistry } from '@stratalog/registry';
import { toChangeName } from '../entities/read-timeline';

export interface ChangesDeps {
  readonly history: AspectHistory;
  readonly registry: EntityRegistry;
}

export interface ChangesRequest {
  readonly types?: readonly string[] | undefined;
  readonly actor?: string | undefined;
  /** Epoch ms; both bounds are inclusive. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly count: number;
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
}

/**
 * Lists the changes of all entities that the caller may read, the newest first, without their values.
 *
 * **Shape**: `{changes: [{time, actor, urn, entityName, aspectName, version, kind, systemMetadata}], next}`. `next` is the cursor of the next
 * page and absent on the last. A page may have fewer changes than requested, or none, and a `next`.
 *
 * **Errors**: `InvalidRequestError` for an unknown entity type, and for a cursor that is none.
 */
export async function listChanges(
  { history, registry }: ChangesDeps,
  { types = [], actor, startTime, endTime, count, cursor }: ChangesRequest,
  limits: AccessLimits,
): Promise<JsonOutputObject> {
  const names = types.map((name) => entityTypeNamed(registry, name).name);
  const entityTypes = intersect(names.length === 0 ? undefined : names, limits.entityTypes);
  const { changes, next } = await history.listCatalogChanges({
    limit: count,
    ...(entityTypes !== undefined && { entityTypes }),
    ...(actor !== undefined && { actor }),
    ...(startTime !== undefined && { sinceMs: startTime }),
    ...(endTime !== undefined && { untilMs: endTime }),
    ...(cursor !== undefined && { from: parseCursor(cursor) }),
  });
  return {
    changes: changes.filter(({ urn }) => isWithinLimits(limits, urn)).map(toBody),
    next: next === undefined ? undefined : formatCursor(next),
  };
}

function intersect(
  asked: readonly string[] | undefined,
  permitted: readonly string[] | undefined,
): readonly string[] | undefined {
  return permitted === undefined || asked === undefined
    ? (asked ?? permitted)
    : asked.filter((name) => permitted.includes(name));
}

function toBody(change: CatalogChange): JsonOutputObject {
  const { urn, aspectName, version, created, systemMetadata, kind, previousKind } = change;
  return {
    time: created.time,
    actor: created.actor,
    urn,
    entityName: entityTypeIn(urn),
    aspectName,
    version,
    kind: toChangeName({ kind, ...(previousKind !== undefined && { previous: { kind: previousKind } }) }),
    systemMetadata: { ...systemMetadata, version: String(version) },
  };
}

function formatCursor({ timeMs, partition, seq }: ChangePlace): string {
  return [timeMs, partition, seq].join('.');
}

const CURSOR = /^(\d{1,16})\.(\d{1,6})\.(\d{1,16})$/;

function parseCursor(cursor: string): ChangePlace {
  const [timeMs, partition, seq] = (CURSOR.exec(cursor) ?? []).slice(1).map(Number);
  const isPlace = Number.isSafeInteger(timeMs) && Number.isSafeInteger(seq);
  if (isPlace && timeMs !== undefined && partition !== undefined && seq !== undefined)
    return { timeMs, partition, seq };
  throw new InvalidRequestError(`Parameter 'cursor': ${cursor.slice(0, 100)} is no \`next\` of a page`);
}
