import { isJsonObject, parseInSteps, type JsonObject, type Steps } from '@stratalog/json';
import type { PastChange } from '@stratalog/ports';
import type { EntityType } from '@stratalog/registry';
import type { ChangeEvent } from './change-event';
import { describeChange } from './describe-change';

/**
 * Says what a change of the history means. One whose old or new value is purged, and one of timeseries values, has no events: what it changed
 * is not known.
 */
export function* compareChange(
  urn: string,
  { keyAspect, aspects }: EntityType,
  { aspectName, kind, version, value, previous }: PastChange,
): Steps<readonly ChangeEvent[]> {
  if (aspects.get(aspectName)?.kind !== 'versioned') return [];
  const lacksOld =
    previous === undefined ? version > 1 : previous.kind === 'upsert' && previous.value === undefined;
  const lacksNew = kind === 'upsert' && value === undefined;
  if (lacksOld || lacksNew) return [];
  return yield* describeChange({
    urn,
    aspectName,
    isKey: aspectName === keyAspect.name,
    before: yield* parseValue(previous?.value),
    after: yield* parseValue(value),
  });
}

function* parseValue(text: string | undefined): Steps<JsonObject | undefined> {
  if (text === undefined) return undefined;
  const { value } = yield* parseInSteps(text);
  return isJsonObject(value) ? value : undefined;
}
