import { PUBLISHED_TYPES, entityTypeIn } from '@stratalog/domain';
import {
  isJsonObject,
  parseInSteps,
  stringifyJson,
  type JsonOutputObject,
  type Steps,
} from '@stratalog/json';
import type { FollowedChange } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import { compareChange } from './compare-change';

/** The streams of events, by the original's names of topics. */
export const TOPICS = [
  'PlatformEvent_v1',
  'MetadataChangeLog_Versioned_v1',
  'MetadataChangeLog_Timeseries_v1',
] as const;
export type Topic = (typeof TOPICS)[number];

const JSON_TYPE = 'application/json';

/**
 * Makes the events of one change in a stream.
 *
 * **Shape**: JSON texts: `MetadataChangeLog` in the streams of changes, else `{header: {timestampMillis}, name: 'entityChangeEvent', payload:
 * {contentType, value}}`, whose value is an `EntityChangeEvent`.
 */
export function* toEvents(
  registry: EntityRegistry,
  topic: Topic,
  change: FollowedChange,
): Steps<readonly string[]> {
  const isTimeseries = registry.aspect(change.aspectName)?.kind === 'timeseries';
  switch (topic) {
    case 'MetadataChangeLog_Versioned_v1':
      return isTimeseries ? [] : [stringifyJson(toChangeLog(change))];
    case 'MetadataChangeLog_Timeseries_v1':
      return isTimeseries ? [stringifyJson(toChangeLog(change))] : [];
    case 'PlatformEvent_v1':
      return (yield* toEntityEvents(registry, change)).map((event) => toPlatformEvent(change, event));
  }
}

function toChangeLog(change: FollowedChange): JsonOutputObject {
  const { urn, aspectName, kind, value, previous, systemMetadata, created } = change;
  return {
    entityType: entityTypeIn(urn),
    entityUrn: urn,
    changeType: PUBLISHED_TYPES[kind],
    aspectName,
    aspect: toAspect(value),
    previousAspectValue: toAspect(previous?.value),
    systemMetadata,
    created: { time: created.time, actor: created.actor },
  };
}

function toAspect(value: string | undefined): JsonOutputObject | undefined {
  return value === undefined ? undefined : { value, contentType: JSON_TYPE };
}

type EntityEvent = Readonly<Record<'category' | 'operation' | 'entityUrn', string>> & {
  readonly modifier?: string;
  readonly parameters?: JsonOutputObject;
};

function* toEntityEvents(registry: EntityRegistry, change: FollowedChange): Steps<readonly EntityEvent[]> {
  if (change.kind === 'timeseries') return yield* toRunEvents(change);
  const entityType = registry.entityType(entityTypeIn(change.urn));
  if (entityType === undefined) return [];
  const events = yield* compareChange(change.urn, entityType, change);
  return events.map(({ category, operation, entityUrn, modifier, parameters }) => ({
    category: category === 'OWNERSHIP' ? 'OWNER' : category,
    operation,
    entityUrn,
    ...(modifier === undefined ? {} : { modifier }),
    ...(parameters === undefined ? {} : { parameters }),
  }));
}

/** The timeseries aspects of runs, and the members with their outcomes. */
const RUNS: ReadonlySet<string> = new Set(['dataProcessInstanceRunEvent', 'assertionRunEvent']);

/** A run starts and ends. */
function* toRunEvents({ urn, aspectName, value }: FollowedChange): Steps<readonly EntityEvent[]> {
  if (!RUNS.has(aspectName) || value === undefined) return [];
  const { value: run } = yield* parseInSteps(value);
  if (!isJsonObject(run)) return [];
  const { status, result } = run;
  if (status !== 'STARTED' && status !== 'COMPLETE') return [];
  const outcome = isJsonObject(result) ? result.type : undefined;
  return [
    {
      category: 'RUN',
      operation: status === 'STARTED' ? 'STARTED' : 'COMPLETED',
      entityUrn: urn,
      ...(outcome === undefined ? {} : { parameters: { runResult: outcome } }),
    },
  ];
}

function toPlatformEvent({ created }: FollowedChange, event: EntityEvent): string {
  const value = stringifyJson({
    entityUrn: event.entityUrn,
    entityType: entityTypeIn(event.entityUrn),
    category: event.category,
    operation: event.operation,
    modifier: event.modifier,
    parameters: event.parameters,
    auditStamp: { time: created.time, actor: created.actor },
    version: 0,
  });
  return stringifyJson({
    header: { timestampMillis: created.time },
    name: 'entityChangeEvent',
    payload: { contentType: JSON_TYPE, value },
  });
}
