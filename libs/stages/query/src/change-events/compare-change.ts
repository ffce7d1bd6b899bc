import type { ChangeKind } from '@stratalog/domain';
import { isJsonObject, parseInSteps, type JsonObject, type Steps } from '@stratalog/json';
import type { PastChange } from '@stratalog/ports';
import type { EntityType } from '@stratalog/registry';
import type { ChangeEvent } from './change-event';
import { describeChange } from './describe-change';

type ComparedChange = Pick<PastChange, 'aspectName' | 'version' | 'value' | 'previous'> & {
  readonly kind: ChangeKind;
};

/**
 * Says what a change of the history means. One whose old or new value is purged, and one of timeseries values, has no events: what it changed
 * is not known. A hard deletion purges all values of its entity.
 */
export function* compareChange(
  urn: string,
  { keyAspect, aspects }: EntityType,
  { aspectName, kind, version, value, previous }: ComparedChange,
): Steps<readonly ChangeEvent[]> {
  if (aspects.get(aspectName)?.kind !== 'versioned' || kind === 'restate') return [];
  const isKey = aspectName === keyAspect.name;
  const hadValue = previous === undefined ? version > 1 : previous.kind === 'upsert';
  const hasValue = kind === 'upsert';
  const isPurged = (hadValue && previous?.value === undefined) || (hasValue && value === undefined);
  // That an entity was created or deleted is known without its key.
  if (isKey && isPurged)
    return yield* describeChange({
      urn,
      aspectName,
      isKey,
      before: hadValue ? {} : undefined,
      after: hasValue ? {} : undefined,
    });
  if (isPurged) return [];
  return yield* describeChange({
    urn,
    aspectName,
    isKey,
    before: yield* parseValue(previous?.value),
    after: yield* parseValue(value),
  });
}

function* parseValue(text: string | undefined): Steps<JsonObject | undefined> {
  if (text === undefined) return undefined;
  const { value } = yield* parseInSteps(text);
  return isJsonObject(value) ? value : undefined;
}
