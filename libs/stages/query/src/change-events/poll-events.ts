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
import { toEvents, type Topic } from './to-events';

export interface PollDeps {
  readonly registry: EntityRegistry;
  readonly clock: Clock;
  readonly store: Pick<AspectStore, 'identity' | 'readPartitionSequences'>;
  readonly history: Pick<AspectHistory, 'readChangesAfter' | 'positionAt'>;
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

/** Delay between two looks at the log. It bounds the delay of an event, and the cost of those who wait. */
const POLL_DELAY_MS = 100;
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
  const { store, history } = deps;
  const until = performance.now() + request.timeoutMs;
  let position = await readStart(deps, request);
  let events: readonly string[] = [];
  while (events.length === 0) {
    const behind = listBehind(position, await store.readPartitionSequences());
    const changes = behind.size === 0 ? [] : await history.readChangesAfter(behind, request.limit);
    if (changes.length > 0) {
      events = await inSlices(eventsOf(deps.registry, request.topic, changes, limits));
      position = advance(position, changes);
    }
    const leftMs = until - performance.now();
    if (leftMs <= 0) break;
    if (changes.length === 0)
      await pause(Math.min(POLL_DELAY_MS, leftMs), currentCaller()?.disconnected ?? NEVER);
  }
  const { storeId, epoch } = store.identity;
  return {
    offsetId: formatPosition({ storeId, epoch, seqs: position }),
    count: events.length,
    events: events.map((value) => ({ contentType: 'application/json', value })),
  };
}

async function readStart(
  { store, history, clock }: PollDeps,
  { offsetId, lookbackDays }: PollRequest,
): Promise<PartitionSequences> {
  if (offsetId === undefined) {
    if (lookbackDays === undefined) return store.readPartitionSequences();
    return (await history.positionAt(clock.now() - lookbackDays * DAY_MS)).position;
  }
  const position = parsePosition(offsetId);
  if (position === undefined || !isOfStore(position, store.identity)) {
    throw new InvalidRequestError(
      `Parameter 'offsetId': "${offsetId.slice(0, 100)}" is no offset of this store; begin without one`,
    );
  }
  if (!covers(await store.readPartitionSequences(), position.seqs))
    throw new InvalidRequestError("Parameter 'offsetId' lies ahead of the store; begin without one");
  return position.seqs;
}

/** The partitions that have more changes, each with the number of the last one that was read. */
function listBehind(position: PartitionSequences, ends: PartitionSequences): PartitionSequences {
  const read = [...ends].map(([partition, end]) => [partition, position.get(partition) ?? 0, end] as const);
  return new Map(read.flatMap(([partition, seq, end]) => (seq < end ? [[partition, seq]] : [])));
}

function advance(position: PartitionSequences, changes: readonly FollowedChange[]): PartitionSequences {
  const reached = new Map(position);
  for (const { partition, seq } of changes) reached.set(partition, seq);
  return reached;
}

function* eventsOf(
  registry: EntityRegistry,
  topic: Topic,
  changes: readonly FollowedChange[],
  limits: AccessLimits,
): Steps<readonly string[]> {
  const events: string[] = [];
  for (const change of changes) {
    if (isWithinLimits(limits, change.urn))
      for (const event of yield* toEvents(registry, topic, change)) events.push(event);
    yield;
  }
  return events;
}
