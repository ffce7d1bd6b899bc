import {
  InvalidRequestError,
  covers,
  formatPosition,
  isOfStore,
  isWithinLimits,
  parsePosition,
  type AccessLimits,
  type PartitionSequences,
} from '@stratalog/domain';
import { currentCaller, inSlices, pause } from '@stratalog/concurrency';
import type { JsonOutputObject, Steps } from '@stratalog/json';
import type { AspectHistory, AspectStore, Clock, FollowedChange } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import { listBehind, type ChangeWaits } from './change-waits';
import { toEvents, type Topic } from './to-events';

export interface PollDeps {
  readonly registry: EntityRegistry;
  readonly clock: Clock;
  readonly store: Pick<AspectStore, 'identity' | 'readPartitionSequences'>;
  readonly history: Pick<AspectHistory, 'readChangesAfter' | 'positionAt'>;
  readonly changeWaits: ChangeWaits;
}

export interface PollRequest {
  readonly topic: Topic;
  /** `offsetId` of the poll before. Absent: the end of the log, or `lookbackDays` before now. */
  readonly offsetId?: string | undefined;
  readonly lookbackDays?: number | undefined;
  /** About the number of changes of one read; each may have several events. */
  readonly limit: number;
  readonly timeoutMs: number;
}

/**
 * Events of one answer beyond which it takes no further change; those of one change are bounded too. **Units**: UTF-16 units.
 */
const MAX_LENGTH = 8 * 1024 * 1024;
/** Least pause between two reads of changes without an event. */
const MIN_PAUSE_MS = 10;
const DAY_MS = 86_400_000;
const NEVER = new AbortController().signal;

/**
 * Reads the next events of a stream; waits for some if there are none yet.
 *
 * **Shape**: `{offsetId, count, events: [{contentType, value}]}`. `offsetId` is the position behind the events, also when there are none.
 *
 * **Order and repeats**: per urn in the order of commits, without gaps; the same ones again for the same `offsetId`.
 *
 * **Errors**: `InvalidRequestError` for an `offsetId` of another store, or ahead of this one.
 *
 * **Source**: `docs/wire-decisions.md`, Reading.
 */
export async function pollEvents(
  deps: PollDeps,
  request: PollRequest,
  limits: AccessLimits,
): Promise<JsonOutputObject> {
  const until = performance.now() + request.timeoutMs;
  let { position, ends } = await readStart(deps, request);
  let events: readonly string[] = [];
  for (;;) {
    const startMs = performance.now();
    const changes = await readBehind(deps, position, { ends, limit: request.limit });
    if (changes.length > 0) {
      const told = await inSlices(eventsOf(deps.registry, request.topic, changes, limits));
      ({ events } = told);
      position = advance(position, changes.slice(0, told.handled));
    }
    const leftMs = until - performance.now();
    if (events.length > 0 || leftMs <= 0) break;
    if (listBehind(position, ends).size > 0) {
      // Whoever searches a long log for rare events leaves half of the time to others.
      const restMs = Math.max(MIN_PAUSE_MS, performance.now() - startMs);
      await pause(Math.min(restMs, leftMs), currentCaller()?.disconnected ?? NEVER);
      continue;
    }
    const news = await deps.changeWaits.endsBehind(position, leftMs);
    if (news === undefined) break;
    ends = news;
  }
  const { storeId, epoch } = deps.store.identity;
  return {
    offsetId: formatPosition({ storeId, epoch, seqs: position }),
    count: events.length,
    events: events.map((value) => ({ contentType: 'application/json', value })),
  };
}

interface Start {
  readonly position: PartitionSequences;
  /** The ends of the partitions, at some time since the call. */
  readonly ends: PartitionSequences;
}

async function readStart(
  { store, history, clock }: PollDeps,
  { offsetId, lookbackDays }: PollRequest,
): Promise<Start> {
  const ends = await store.readPartitionSequences();
  if (offsetId === undefined) {
    if (lookbackDays === undefined) return { position: ends, ends };
    const { position } = await history.positionAt(clock.now() - lookbackDays * DAY_MS);
    return { position, ends };
  }
  const position = parsePosition(offsetId);
  if (position === undefined || !isOfStore(position, store.identity)) {
    throw new InvalidRequestError(
      `Parameter 'offsetId': "${offsetId.slice(0, 100)}" is no offset of this store; begin without one`,
    );
  }
  if (!covers(ends, position.seqs))
    throw new InvalidRequestError("Parameter 'offsetId' lies ahead of the store; begin without one");
  return { position: position.seqs, ends };
}

async function readBehind(
  { history }: PollDeps,
  position: PartitionSequences,
  { ends, limit }: Pick<Start, 'ends'> & Pick<PollRequest, 'limit'>,
): Promise<readonly FollowedChange[]> {
  const behind = listBehind(position, ends);
  return behind.size === 0 ? [] : history.readChangesAfter(behind, limit);
}

function advance(position: PartitionSequences, changes: readonly FollowedChange[]): PartitionSequences {
  const reached = new Map(position);
  for (const { partition, seq } of changes) reached.set(partition, seq);
  return reached;
}

/** Makes the events of changes until they are enough. `handled`: the number of these changes. */
function* eventsOf(
  registry: EntityRegistry,
  topic: Topic,
  changes: readonly FollowedChange[],
  limits: AccessLimits,
): Steps<{ readonly events: readonly string[]; readonly handled: number }> {
  const events: string[] = [];
  let [length, handled] = [0, 0];
  for (const change of changes) {
    if (length >= MAX_LENGTH) break;
    handled++;
    if (isWithinLimits(limits, change.urn))
      for (const event of yield* toEvents(registry, topic, change)) {
        events.push(event);
        length += event.length;
      }
    yield;
  }
  return { events, handled };
}
