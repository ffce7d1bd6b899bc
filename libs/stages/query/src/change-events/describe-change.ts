import type { JsonObject, Steps } from '@stratalog/json';
import type { ChangeEvent, ComparedAspect } from './change-event';
import { BoundedEvents } from './bounded-events';
import { compareColumns } from './compare-columns';
import { compareLists, LISTS } from './compare-lists';
import { compareTexts } from './compare-texts';

/**
 * Says what a new version of an aspect means: which tags, owners, columns and so on it adds, removes or changes. A function of the two
 * values alone, so that a timeline and the stream of events say the same, however often they are read. Changes of aspects without
 * such a meaning have no events, and those of a change of megabytes are bounded.
 */
export function* describeChange(compared: ComparedAspect): Steps<readonly ChangeEvent[]> {
  const { urn, aspectName, before, after } = compared;
  const events = new BoundedEvents();
  for (const event of describeLife(compared)) events.add(event);
  const things = LISTS.get(aspectName);
  if (things !== undefined) {
    for (const event of compareLists(things, { urn }, before, after)) {
      events.add(event);
      yield;
    }
  }
  yield* compareColumns(compared, before, after, events);
  for (const event of describeRest(compared)) events.add(event);
  return events.list(urn);
}

function* describeRest({ urn, aspectName, before, after }: ComparedAspect): Generator<ChangeEvent> {
  if (aspectName === 'deprecation') yield* describeDeprecation(urn, before, after);
  else if (aspectName === 'versionProperties') yield* describeVersion(urn, before, after);
  else yield* compareTexts({ urn }, before, after);
}

/** An entity is created, hidden, shown again, or deleted. */
function* describeLife({ urn, aspectName, isKey, before, after }: ComparedAspect): Generator<ChangeEvent> {
  const event = { category: 'LIFECYCLE', entityUrn: urn, grade: 'MAJOR' } as const;
  if (isKey && before === undefined && after !== undefined)
    yield { ...event, operation: 'CREATE', grade: 'MINOR', description: `Entity '${urn}' was created.` };
  if (isKey && before !== undefined && after === undefined)
    yield { ...event, operation: 'HARD_DELETE', description: `Entity '${urn}' was deleted.` };
  if (aspectName !== 'status') return;
  const [wasRemoved, isRemoved] = [before?.removed === true, after?.removed === true];
  if (!wasRemoved && isRemoved)
    yield { ...event, operation: 'SOFT_DELETE', description: `Entity '${urn}' was soft-deleted.` };
  if (wasRemoved && !isRemoved)
    yield { ...event, operation: 'REINSTATE', description: `Entity '${urn}' was restored.` };
}

function* describeDeprecation(
  urn: string,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): Generator<ChangeEvent> {
  const [was, is] = [before?.deprecated === true, after?.deprecated === true];
  if (was === is) return;
  const status = is ? 'DEPRECATED' : 'ACTIVE';
  yield {
    category: 'DEPRECATION',
    operation: 'MODIFY',
    entityUrn: urn,
    modifier: status,
    grade: 'MINOR',
    description: `Entity '${urn}' is ${is ? 'deprecated' : 'no longer deprecated'}.`,
    parameters: { status },
  };
}

function* describeVersion(
  urn: string,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): Generator<ChangeEvent> {
  const [old, now] = [readTag(before), readTag(after)];
  if (old === now) return;
  const version = now ?? old ?? '';
  yield {
    category: 'VERSIONING',
    operation: old === undefined ? 'ADD' : now === undefined ? 'REMOVE' : 'MODIFY',
    entityUrn: urn,
    modifier: version,
    grade: 'MINOR',
    description: `The version of '${urn}' is ${now === undefined ? 'no longer ' : ''}'${version}'.`,
    parameters: { version },
  };
}

function readTag(value: JsonObject | undefined): string | undefined {
  const { version } = value ?? {};
  const tag =
    typeof version === 'object' && version !== null ? (version as JsonObject).versionTag : undefined;
  return typeof tag === 'string' ? tag : undefined;
}
