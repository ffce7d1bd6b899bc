import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/json';

export const INCIDENTS_SUMMARY = 'incidentsSummary';

/** The lists of `incidentsSummary`, by the state of the incidents that they have. */
const LISTS = { ACTIVE: 'activeIncidentDetails', RESOLVED: 'resolvedIncidentDetails' } as const;
type State = keyof typeof LISTS;

/** Most incidents of each list, the newest. So an incident that never ends up resolved cannot fill the value. */
const MAX_LISTED: Readonly<Record<State, number>> = { ACTIVE: 1_000, RESOLVED: 100 };

/** An incident as the summary of an entity has it. */
export interface SummarizedIncident {
  readonly state: State;
  readonly details: JsonObject;
}

/** Derives what summaries say of an incident from its `incidentInfo`. */
export function summarizeInfo(urn: string, info: JsonObject): SummarizedIncident {
  const { type, customType, priority } = info;
  const [status, created] = [toObject(info.status), toObject(info.created)];
  const state = status.state === 'RESOLVED' ? 'RESOLVED' : 'ACTIVE';
  const resolvedAt = state === 'RESOLVED' ? toObject(status.lastUpdated).time : undefined;
  return {
    state,
    details: {
      urn,
      type: (type === 'CUSTOM' ? customType : undefined) ?? type ?? 'CUSTOM',
      createdAt: created.time ?? 0,
      ...(resolvedAt === undefined ? {} : { resolvedAt }),
      ...(priority === undefined ? {} : { priority }),
    },
  };
}

/**
 * Computes the summary of an entity after a change of an incident; `undefined` when it stays as it is. Without `incident`, the
 * entity has no such incident any more. What the summary says of others stays.
 *
 * **Order and repeats**: each list has the oldest incident first, whatever the order of the changes.
 */
export function placeIncident(
  stored: JsonObject | undefined,
  urn: string,
  incident: SummarizedIncident | undefined,
): JsonObject | undefined {
  const [ACTIVE, RESOLVED] = (['ACTIVE', 'RESOLVED'] as const).map((state) => {
    const others = toList(stored?.[LISTS[state]]).filter((details) => details.urn !== urn);
    const own = incident?.state === state ? [incident.details] : [];
    return [...others, ...own].sort(byCreation).slice(-MAX_LISTED[state]);
  });
  const placed = { [LISTS.ACTIVE]: ACTIVE ?? [], [LISTS.RESOLVED]: RESOLVED ?? [] };
  const before = {
    [LISTS.ACTIVE]: toList(stored?.[LISTS.ACTIVE]),
    [LISTS.RESOLVED]: toList(stored?.[LISTS.RESOLVED]),
  };
  return isDeepStrictEqual(placed, before) ? undefined : { ...stored, ...placed };
}

function byCreation(one: JsonObject, other: JsonObject): number {
  const difference = Number(one.createdAt) - Number(other.createdAt);
  if (difference !== 0) return difference;
  return urnOf(one) < urnOf(other) ? -1 : 1;
}

function urnOf({ urn }: JsonObject): string {
  return typeof urn === 'string' ? urn : '';
}

function toList(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function toObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
