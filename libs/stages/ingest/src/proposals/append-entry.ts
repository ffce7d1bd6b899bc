import {
  FaultError,
  InvalidProposalError,
  UnavailableError,
  partitionOf,
  proposalsIn,
  type Position,
  type ProposalEntry,
} from '@stratalog/model';
import type { Appended, AspectStore, Clock, ProposalLog } from '@stratalog/ports';
import type { OutcomePoller } from './outcome-poller';

export interface AppendDeps {
  readonly outcomes: OutcomePoller;
  readonly proposals: ProposalLog;
  readonly store: AspectStore;
  /** Checked for plausibility before each write; without a clock there is no check. */
  readonly clock?: Clock;
  /** Longest wait of a synchronous write for its commit. */
  readonly commitTimeoutMs: number;
}

/**
 * Appends one entry, waits for its commit, and returns the position of its urns.
 *
 * **Errors**: `InvalidProposalError` with the reason of a rejection. `UnavailableError` when the clock is not
 * plausible, or the log or the writer did not answer in time. `ThrottledError` when too many entries wait before it.
 * `FaultError` when the writer failed inside the catalog.
 */
export async function appendAwaited(deps: AppendDeps, entry: ProposalEntry): Promise<Position> {
  rejectWithoutClock(deps.clock);
  const end = performance.now() + deps.commitTimeoutMs;
  const [appended] = await withinTimeout(
    deps.proposals.append([entry], { awaited: true }),
    deps.commitTimeoutMs,
  );
  if (appended === undefined) throw new UnavailableError('The log did not take the proposal');
  const seqs = await waitForSeqs(deps, entry, { appended, leftMs: Math.max(0, end - performance.now()) });
  const { storeId, epoch } = deps.store.identity;
  return { storeId, epoch, seqs };
}

/**
 * Appends entries without waiting for their outcomes; resolves when the log has all of them.
 *
 * **Errors**: `UnavailableError` when the clock is not plausible or the log did not answer in time; `ThrottledError`
 * when too many entries wait before them. In both cases the log may already have some entries.
 */
export async function appendUnawaited(deps: AppendDeps, entries: readonly ProposalEntry[]): Promise<void> {
  rejectWithoutClock(deps.clock);
  await withinTimeout(deps.proposals.append(entries, { awaited: false }), deps.commitTimeoutMs);
}

/** The writer would reject the write as well. Here the log stays clean, and the caller gets the reason at once. */
function rejectWithoutClock(clock: Clock | undefined): void {
  const doubt = clock?.doubt?.();
  if (doubt !== undefined) throw new UnavailableError(`Writes are refused: ${doubt}`);
}

/**
 * Bounds the wait for a store that hangs. Its outcome is then unknown, so the message asks to repeat the proposal.
 */
async function withinTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message = `The store did not answer within ${String(timeoutMs)} ms; the proposal may be applied yet, repeat it to be sure`;
      reject(new UnavailableError(message));
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the last sequence number of each partition that contains one of the entry's urns. */
async function waitForSeqs(
  deps: AppendDeps,
  entry: ProposalEntry,
  { appended, leftMs }: { readonly appended: Appended; readonly leftMs: number },
): Promise<ReadonlyMap<number, number>> {
  const { outcome } = appended;
  if (outcome === undefined) return pollSeqs(deps, entry, { appended, leftMs });
  switch (outcome.kind) {
    case 'rejected':
      throw new InvalidProposalError(outcome.reason);
    case 'failed':
      throw new FaultError('A proposal could not be applied', { cause: outcome.cause });
    case 'batch':
      return highest(outcome.outcomes.map(({ partition, seq }) => [partition, seq]));
    default:
      return new Map([[outcome.partition, outcome.seq]]);
  }
}

/** Polls the store until it has applied the log up to the entry. All urns share one query. */
async function pollSeqs(
  { store, outcomes }: AppendDeps,
  entry: ProposalEntry,
  { appended: { position }, leftMs }: { readonly appended: Appended; readonly leftMs: number },
): Promise<ReadonlyMap<number, number>> {
  const urns = [...new Set(proposalsIn(entry).map(({ urn }) => urn))];
  const settled = await Promise.all(urns.map((urn) => outcomes.of({ position, urn }, leftMs)));
  return highest(
    settled.map((outcome, at) => {
      if (outcome.kind === 'rejected') throw new InvalidProposalError(outcome.reason);
      return [partitionOf(urns[at] ?? '', store.identity.partitions), outcome.seq];
    }),
  );
}

function highest(seqs: readonly (readonly [partition: number, seq: number])[]): ReadonlyMap<number, number> {
  const last = new Map<number, number>();
  for (const [partition, seq] of seqs) last.set(partition, Math.max(seq, last.get(partition) ?? 0));
  return last;
}
