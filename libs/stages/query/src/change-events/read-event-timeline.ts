import { InvalidRequestError } from '@stratalog/domain';
import { inSlices } from '@stratalog/concurrency';
import type { JsonOutputObject, Steps } from '@stratalog/json';
import type { AspectHistory, PastChange } from '@stratalog/ports';
import { entityNamed, type EntityRegistry, type EntityType } from '@stratalog/registry';
import { greatestOf, lengthOf } from './bounded-events';
import type { ChangeEvent, ChangeGrade, TIMELINE_CATEGORIES } from './change-event';
import { compareChange } from './compare-change';

export interface EventTimelineRequest {
  readonly urn: string;
  /** Empty: all. */
  readonly categories: readonly (typeof TIMELINE_CATEGORIES)[number][];
  /** Epoch ms; both bounds are inclusive. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

/** Most changes of aspects that an answer is made of, each with two values. */
const MAX_CHANGES = 2_000;
/** Most that these values, and the events of an answer, take. **Units**: UTF-16 units of JSON. */
const MAX_VALUES_LENGTH = 64 * 1024 * 1024;
const MAX_EVENTS_LENGTH = 16 * 1024 * 1024;
const PAGE = 100;

/** Changes of one time by one actor. */
interface Transaction {
  readonly time: number;
  readonly actor: string;
  readonly events: ChangeEvent[];
}

/**
 * Lists what happened to an entity, the oldest first: events in words of people who use it, those of one time together, with a semantic
 * version. Times without an event of the categories are left out, and versions count from the first that is listed.
 *
 * **Shape**: `[{timestamp, actor, semVer, semVerChange, changeEvents: [{category, operation, modifier?, entityUrn, semVerChange, description,
 * parameters?}]}]`.
 *
 * **Errors**: `InvalidRequestError` for a malformed urn, and when more changes are within the time than an answer is made of, or larger ones.
 *
 * **Source**: `docs/wire-decisions.md`, Reading.
 */
export async function readEventTimeline(
  { history, registry }: { readonly history: AspectHistory; readonly registry: EntityRegistry },
  { urn, categories, startTime, endTime }: EventTimelineRequest,
): Promise<readonly JsonOutputObject[]> {
  const { entityType } = entityNamed(registry, urn);
  const newestFirst: Transaction[] = [];
  const wanted: ReadonlySet<string> = new Set(categories);
  let [count, values, told] = [0, 0, 0];
  for (let beforeSeq: number | undefined, hasMore = true; hasMore;) {
    const page = await history.listChanges({
      urn,
      limit: PAGE,
      ...(startTime !== undefined && { sinceMs: startTime }),
      ...(endTime !== undefined && { untilMs: endTime }),
      ...(beforeSeq !== undefined && { beforeSeq }),
    });
    count += page.changes.length;
    if (count > MAX_CHANGES) throw tooMuch(`More than ${String(MAX_CHANGES)} changes are`);
    values += lengthOfValues(page.changes);
    if (values > MAX_VALUES_LENGTH)
      throw tooMuch(`Changes with more than ${toMegabytes(MAX_VALUES_LENGTH)} of values are`);
    told += await inSlices(addChanges(newestFirst, page.changes, { urn, entityType, wanted }));
    if (told > MAX_EVENTS_LENGTH) throw tooMuch(`More than ${toMegabytes(MAX_EVENTS_LENGTH)} of events are`);
    beforeSeq = page.changes.at(-1)?.seq;
    hasMore = page.hasMore && beforeSeq !== undefined;
  }
  return withVersions(newestFirst.filter(({ events }) => events.length > 0).toReversed());
}

function tooMuch(what: string): InvalidRequestError {
  return new InvalidRequestError(`${what} within the time; send a later 'startTime', or fewer 'categories'`);
}

function toMegabytes(length: number): string {
  return `${String(length / 1024 / 1024)} MB`;
}

function lengthOfValues(changes: readonly PastChange[]): number {
  return changes.reduce(
    (sum, { value = '', previous }) => sum + value.length + (previous?.value ?? '').length,
    0,
  );
}

interface Selection {
  readonly urn: string;
  readonly entityType: EntityType;
  readonly wanted: ReadonlySet<string>;
}

/** Returns about the length of what was added. */
function* addChanges(
  newestFirst: Transaction[],
  changes: readonly PastChange[],
  { urn, entityType, wanted }: Selection,
): Steps<number> {
  let length = 0;
  for (const change of changes) {
    const { time, actor } = change.created;
    const all = yield* compareChange(urn, entityType, change);
    const events = all.filter(({ category }) => wanted.size === 0 || wanted.has(category));
    const last = newestFirst.at(-1);
    if (last?.time === time && last.actor === actor) last.events.unshift(...events);
    else newestFirst.push({ time, actor, events: [...events] });
    for (const event of events) length += lengthOf(event);
    yield;
  }
  return length;
}

/** The first is 1.0.0; each later one goes up by the greatest of its grades. */
function withVersions(oldestFirst: readonly Transaction[]): readonly JsonOutputObject[] {
  let version: readonly [major: number, minor: number, patch: number] = [0, 0, 0];
  return oldestFirst.map(({ time, actor, events }, at) => {
    const grade = greatestOf(new Set(events.map((event) => event.grade)));
    version = at === 0 ? [1, 0, 0] : bump(version, grade);
    return {
      timestamp: time,
      actor,
      semVer: version.join('.'),
      semVerChange: grade,
      changeEvents: events.map(({ grade: semVerChange, ...event }) => ({ ...event, semVerChange })),
    };
  });
}

function bump(
  [major, minor, patch]: readonly [number, number, number],
  grade: ChangeGrade,
): readonly [number, number, number] {
  switch (grade) {
    case 'MAJOR':
      return [major + 1, 0, 0];
    case 'MINOR':
      return [major, minor + 1, 0];
    case 'PATCH':
      return [major, minor, patch + 1];
  }
}
