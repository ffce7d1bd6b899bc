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
  /** Without one whatever time it is will do. */
  readonly clock?: Clock;
  /** How long a synchronous write waits for its commit. */
  readonly commitTimeoutMs: number;
}

/**
 * Appends one entry and waits until it is committed; answers where its urns are then.
 *
 * **Errors**: `InvalidProposalError` with the reason of a rejection; `UnavailableError` when the clock is not plausible, or the log or the
 * writer did not answer in time; `ThrottledError` when too much waits before it; `FaultError` when applying it failed inside the catalog.
 */
export async function appendAwaited(parts: AppendDeps, entry: ProposalEntry): Promise<Position> {
  rejectWithoutClock(parts.clock);
  const end = performance.now() + parts.commitTimeoutMs;
  const [appended] = await withinTimeout(
    parts.proposals.append([entry], { awaited: true }),
    parts.commitTimeoutMs,
  );
  if (appended === undefined) throw new UnavailableError('The log did not take the proposal');
  const seqs = await seqsOf(parts, entry, { appended, leftMs: Math.max(0, end - performance.now()) });
  const { storeId, epoch } = parts.store.identity;
  return { storeId, epoch, seqs };
}

/**
 * Appends entries of which nobody awaits what becomes of them; resolves when the log has all.
 *
 * **Errors**: `UnavailableError` when the clock is not plausible or the log did not take them in time, `ThrottledError` when too much waits before them; some may be there then.
 */
export async function appendUnawaited(parts: AppendDeps, entries: readonly ProposalEntry[]): Promise<void> {
  rejectWithoutClock(parts.clock);
  await withinTimeout(parts.proposals.append(entries, { awaited: false }), parts.commitTimeoutMs);
}

/** The writer would reject it too: here nothing is logged, and the caller is told why at once. */
function rejectWithoutClock(clock: Clock | undefined): void {
  const doubt = clock?.doubt?.();
  if (doubt !== undefined) throw new UnavailableError(`Writes are refused: ${doubt}`);
}

/** Nobody waits for ever on a store that hangs. What it does in the end is not known then, so the message says to repeat. */
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

/** The last number of each partition that the entry's urns lie in. */
async function seqsOf(
  parts: AppendDeps,
  entry: ProposalEntry,
  { appended, leftMs }: { readonly appended: Appended; readonly leftMs: number },
): Promise<ReadonlyMap<number, number>> {
  const { outcome } = appended;
  if (outcome === undefined) return storedSeqs(parts, entry, { appended, leftMs });
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

/** Asks the store until the log is applied up to the entry. All urns share one look. */
async function storedSeqs(
  { store, outcomes }: AppendDeps,
  entry: ProposalEntry,
  { appended: { position }, leftMs }: { readonly appended: Appended; readonly leftMs: number },
): Promise<ReadonlyMap<number, number>> {
  const urns = [...new Set(proposalsIn(entry).map(({ urn }) => urn))];
  const found = await Promise.all(urns.map((urn) => outcomes.of({ position, urn }, leftMs)));
  return highest(
    found.map((outcome, at) => {
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
