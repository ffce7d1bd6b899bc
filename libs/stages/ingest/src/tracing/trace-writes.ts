import { StratalogError, aspectKey, partitionOf, type PartitionSequences } from '@stratalog/domain';
import type { PositionedReads } from '@stratalog/indexing';
import type { JsonOutputObject } from '@stratalog/json';
import type { AspectRef } from '@stratalog/ports';
import { entityNamed, type EntityRegistry } from '@stratalog/registry';
import { findWrites, type FindingDeps, type FoundWrites } from './find-writes';
import type { LogWaits } from './log-waits';
import { isOwnTrace, type Trace } from './trace-id';
import type { WRITE_STATUSES } from './trace.routes';

export interface TraceDeps extends FindingDeps {
  readonly registry: EntityRegistry;
  readonly logWaits: LogWaits;
  /** The indices, with a limit of {@link TRACE_WAIT_MS}. */
  readonly searchWaits: Pick<PositionedReads, 'waitUntil'>;
  readonly graphWaits: Pick<PositionedReads, 'waitUntil'>;
}

export interface TraceRequest {
  readonly trace: Trace;
  readonly refs: readonly AspectRef[];
  /** True: only rejected writes. */
  readonly onlyErrors: boolean;
}

/** A client that is told that a write is pending comes back after two seconds; most writes need less. */
export const TRACE_WAIT_MS = 1_000;

type WriteStatus = (typeof WRITE_STATUSES)[number];

/**
 * Tells what became of the writes of a trace: in the log, the store and each index. The log was asked for its end first, so what it had then
 * is decided once the writer has passed that end: a write that is in neither the store nor the dead letters then changed nothing.
 *
 * **Shape**: `{<urn>: {<aspect>: {success, primaryStorage: {writeStatus, writeExceptions?}, searchStorage: {writeStatus, writeMessage?},
 * graphStorage}}}`, of exactly the aspects that were asked for.
 *
 * **Errors**: `InvalidRequestError` for a malformed urn; `UnavailableError` when the log or the store does not answer.
 *
 * **Source**: `docs/wire-decisions.md`, Writing.
 */
export async function traceWrites(
  deps: TraceDeps,
  { trace, refs, onlyErrors }: TraceRequest,
): Promise<JsonOutputObject> {
  const typeOf = new Map(refs.map(({ urn }) => [urn, entityNamed(deps.registry, urn).entityType]));
  // A trace of another catalog, or one that was made up, is in none of the places that would be searched for it.
  if (!isOwnTrace(trace, deps.store.identity.storeId))
    return answerRefs({ refs, onlyErrors }, () => ({ status: 'UNKNOWN' }), NOT_BEHIND);
  const isDecided = await deps.logWaits.isDecided(TRACE_WAIT_MS);
  // The store cannot have an aspect that the model lacks; a dead letter can.
  const writes = await findWrites(
    deps,
    trace,
    refs,
    ({ urn, aspectName }) => typeOf.get(urn)?.aspects.has(aspectName) === true,
  );
  const wanted = toPosition(deps, writes);
  const [isSearched, isInGraph] = await Promise.all([
    isReached(deps.searchWaits, wanted),
    isReached(deps.graphWaits, wanted),
  ]);
  const stateOf = (ref: AspectRef): WriteState => toState(deps, writes, ref, isDecided);
  return answerRefs({ refs, onlyErrors }, stateOf, { isSearched, isInGraph });
}

/** Which indices have reached the found writes. */
interface Reached {
  readonly isSearched: boolean;
  readonly isInGraph: boolean;
}

/** No index is behind a write that nobody knows. */
const NOT_BEHIND: Reached = { isSearched: true, isInGraph: true };

function answerRefs(
  { refs, onlyErrors }: Pick<TraceRequest, 'refs' | 'onlyErrors'>,
  stateOf: (ref: AspectRef) => WriteState,
  reached: Reached,
): JsonOutputObject {
  const answer: Record<string, Record<string, JsonOutputObject>> = {};
  for (const ref of refs) {
    const state = stateOf(ref);
    if (onlyErrors && state.status !== 'ERROR') continue;
    (answer[ref.urn] ??= {})[ref.aspectName] = toAnswer(state, reached);
  }
  return answer;
}

/** The position of the store that includes all found writes. */
function toPosition({ store }: Pick<TraceDeps, 'store'>, { seqs }: FoundWrites): PartitionSequences {
  const position = new Map<number, number>();
  for (const [urn, seq] of seqs) {
    const partition = partitionOf(urn, store.identity.partitions);
    position.set(partition, Math.max(seq, position.get(partition) ?? 0));
  }
  return position;
}

/** False also for an index that does not answer: it will have the write. */
async function isReached(
  waits: Pick<PositionedReads, 'waitUntil'>,
  wanted: PartitionSequences,
): Promise<boolean> {
  try {
    await waits.waitUntil(wanted);
    return true;
  } catch (error) {
    if (error instanceof StratalogError && error.retryable) return false;
    throw error;
  }
}

interface WriteState {
  readonly status: WriteStatus;
  readonly reason?: string;
}

function toState(
  { registry }: Pick<TraceDeps, 'registry'>,
  { found, seqs }: FoundWrites,
  ref: AspectRef,
  isDecided: boolean,
): WriteState {
  const write = found.get(aspectKey(ref));
  switch (write?.kind) {
    case 'active':
      return { status: 'ACTIVE_STATE' };
    case 'historic':
      return { status: 'HISTORIC_STATE' };
    case 'rejected':
      return { status: 'ERROR', reason: write.reason };
    case undefined:
  }
  if (!isDecided) return { status: 'PENDING' };
  if (!seqs.has(ref.urn)) return { status: 'UNKNOWN' };
  // Timeseries values have no versions that could tell; what was not rejected is there.
  const aspect = registry.aspect(ref.aspectName);
  if (aspect === undefined) return { status: 'UNKNOWN' };
  return { status: aspect.kind === 'timeseries' ? 'ACTIVE_STATE' : 'NO_OP' };
}

function toAnswer({ status, reason }: WriteState, { isSearched, isInGraph }: Reached): JsonOutputObject {
  const inIndex = (isReachedThere: boolean): JsonOutputObject => {
    if (status === 'ERROR') return { writeStatus: status, writeMessage: 'The store has rejected the write.' };
    const isStored = status !== 'PENDING' && status !== 'UNKNOWN';
    return { writeStatus: isStored && !isReachedThere ? 'PENDING' : status };
  };
  return {
    success: status !== 'ERROR' && status !== 'UNKNOWN',
    primaryStorage: {
      writeStatus: status,
      ...(reason === undefined ? {} : { writeExceptions: [{ message: reason }] }),
    },
    searchStorage: inIndex(isSearched),
    graphStorage: inIndex(isInGraph),
  };
}
