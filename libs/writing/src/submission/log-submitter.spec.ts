import { describe, expect, it } from '@jest/globals';
import {
  UnavailableError,
  partitionOf,
  type Proposal,
  type ProposalEntry,
  type WriteOutcome,
} from '@stratalog/domain';
import type { AwaitedPosition, LoggedOutcome, LoggedPosition, LoggedProposal } from '@stratalog/ports';
import { LogSubmitter } from './log-submitter';

const PARTITIONS = 4;
const IDENTITY = { storeId: 's', epoch: 1, partitions: PARTITIONS };
const POSITION: LoggedPosition = { log: 'topic', partition: 1, offset: 9 };

const proposal = (urn: string): Proposal => ({
  entityType: 'tag',
  urn,
  aspectName: 'tagProperties',
  changeType: 'UPSERT',
  actor: 'urn:li:corpuser:tester',
});

const appliedAt = (partition: number, seq: number) => ({
  kind: 'applied',
  position: { storeId: 's', epoch: 1, seqs: new Map([[partition, seq]]) },
});

interface Given {
  /** The answer of the log to an awaited entry. */
  readonly taken: Promise<AwaitedPosition | WriteOutcome>;
  /** The outcome of every urn in the store. Default: no poll is expected. */
  readonly toOutcome?: (urn: string) => LoggedOutcome;
  readonly commitTimeoutMs?: number;
}

function submitterOver({ taken, toOutcome = rejectPoll, commitTimeoutMs = 60_000 }: Given): LogSubmitter {
  const readOutcomes = (proposals: readonly LoggedProposal[]) =>
    Promise.resolve(proposals.map(({ urn }) => toOutcome(urn)));
  const readSizes = rejectPoll;
  const log = {
    append: () => taken.then(() => []),
    appendAwaited: () => taken,
    progress: rejectPoll,
    maxPatchedBytes: 0,
  };
  return new LogSubmitter(log, { store: { identity: IDENTITY, readOutcomes, readSizes }, commitTimeoutMs });
}

function rejectPoll(): never {
  throw new Error('nothing polls');
}

describe('LogSubmitter', () => {
  const urns = ['urn:li:tag:a', 'urn:li:tag:bb', 'urn:li:tag:ccc', 'urn:li:tag:dddd', 'urn:li:tag:eeeee'];
  const [first = '', ...others] = urns;
  const batch: ProposalEntry = { proposals: [proposal(first), ...others.map(proposal)] };

  it('takes an outcome that is there at once, without a poll', async () => {
    const submit = (outcome: WriteOutcome) =>
      submitterOver({ taken: Promise.resolve(outcome) }).submitAndWait(proposal(first));
    for (const kind of ['written', 'unchanged'] as const) {
      expect(await submit({ version: 1, partition: 2, seq: 7, kind })).toEqual(appliedAt(2, 7));
    }
    const cause = new Error('broken');
    expect(await submit({ kind: 'failed', cause })).toEqual({ kind: 'failed', cause });
    const rejected = { kind: 'rejected', reason: 'not good' } as const;
    expect(await submit(rejected)).toEqual(rejected);
  });

  it('has the highest seq of each partition of a batch, polled or not', async () => {
    const seqs = new Map<number, number>();
    for (const urn of urns) {
      const partition = partitionOf(urn, PARTITIONS);
      seqs.set(partition, Math.max(urn.length, seqs.get(partition) ?? 0));
    }
    const outcomes = urns.map((urn) => ({
      kind: 'written' as const,
      version: 1,
      partition: partitionOf(urn, PARTITIONS),
      seq: urn.length,
    }));
    const direct = submitterOver({ taken: Promise.resolve({ kind: 'batch', outcomes }) });
    const polled = submitterOver({
      taken: Promise.resolve(POSITION),
      toOutcome: ({ length }) => ({ kind: 'applied', seq: length }),
    });
    const expected = { kind: 'applied', position: { storeId: 's', epoch: 1, seqs } };
    expect(await direct.submitAndWait(batch)).toEqual(expected);
    expect(await polled.submitAndWait(batch)).toEqual(expected);
  });

  it('finds the rejection of a batch by polling', async () => {
    const rejected = { kind: 'rejected', reason: '/proposals/1 :: not good' } as const;
    const submitter = submitterOver({ taken: Promise.resolve(POSITION), toOutcome: () => rejected });
    expect(await submitter.submitAndWait(batch)).toEqual(rejected);
  });

  it('gives up on a log that hangs, and asks to repeat the proposal', async () => {
    const submitter = submitterOver({ taken: new Promise(() => undefined), commitTimeoutMs: 20 });
    await expect(submitter.submitAndWait(proposal(first))).rejects.toThrow(
      new UnavailableError(
        'The store did not answer within 20 ms; the proposal may be applied yet, repeat it to be sure',
      ),
    );
  });

  it("fails after the timeout, with the proposal's log position", async () => {
    const submitter = submitterOver({
      taken: Promise.resolve(POSITION),
      toOutcome: () => ({ kind: 'pending' }),
      commitTimeoutMs: 20,
    });
    await expect(submitter.submitAndWait(proposal(first))).rejects.toThrow(
      /^The proposal is in the log \(partition 1, offset 9\) and will be applied, but was not within \d+ ms$/,
    );
  });

  it('fails at once when the log moved or is stopped, and does not say that the proposal will be applied', async () => {
    const submitter = submitterOver({
      taken: Promise.resolve(POSITION),
      toOutcome: () => ({ kind: 'stopped', reason: 'the log moved' }),
    });
    const late = submitter.submitAndWait(proposal(first));
    await expect(late).rejects.toThrow(new UnavailableError('the log moved'));
    await expect(late).rejects.toMatchObject({ details: {} });
  });

  it('believes no outcome that the log does not confirm', async () => {
    const confirm = () => Promise.reject(new UnavailableError('another record has this offset'));
    const submitter = submitterOver({
      taken: Promise.resolve({ ...POSITION, confirm }),
      toOutcome: () => ({ kind: 'applied', seq: 1 }),
    });
    await expect(submitter.submitAndWait(proposal(first))).rejects.toThrow('another record has this offset');
  });

  it('passes on the failure of the log', async () => {
    const submitter = submitterOver({ taken: Promise.reject(new UnavailableError('away')) });
    await expect(submitter.submit([proposal(first)])).rejects.toThrow(new UnavailableError('away'));
  });
});

/** A log that is applied up to an offset; the store counts its queries. */
class LogWithStore {
  readonly identity = IDENTITY;
  appended = 0;
  committedOffset = 0;
  queries = 0;
  mostAsked = 0;
  failures = 0;

  readonly maxPatchedBytes = 0;
  append = (): Promise<never> => Promise.reject(new Error('unused'));
  progress = this.append;
  readSizes = this.append;

  appendAwaited(): Promise<AwaitedPosition> {
    return Promise.resolve({ log: 'topic', partition: 3, offset: ++this.appended });
  }

  readOutcomes(proposals: readonly LoggedProposal[]): Promise<readonly LoggedOutcome[]> {
    this.queries++;
    this.mostAsked = Math.max(this.mostAsked, proposals.length);
    if (this.failures-- > 0) return Promise.reject(new UnavailableError('away'));
    return Promise.resolve(
      proposals.map(({ position: { offset } }) =>
        offset <= this.committedOffset ? { kind: 'applied', seq: offset } : { kind: 'pending' },
      ),
    );
  }
}

describe('the callers that wait for a log', () => {
  const urn = 'urn:li:tag:a';
  const submitTo = (log: LogWithStore) => {
    const submitter = new LogSubmitter(log, { store: log, commitTimeoutMs: 10_000 });
    return () => submitter.submitAndWait(proposal(urn));
  };
  const appliedSeq = (seq: number) => appliedAt(partitionOf(urn, PARTITIONS), seq);

  it('get an answer once the log is applied past their proposals', async () => {
    const log = new LogWithStore();
    const submit = submitTo(log);
    const waiting = [submit(), submit()];
    log.committedOffset = 1;
    expect(await waiting[0]).toEqual(appliedSeq(1));
    log.committedOffset = 2;
    expect(await waiting[1]).toEqual(appliedSeq(2));
  });

  it('share one query', async () => {
    const log = new LogWithStore();
    const submit = submitTo(log);
    const waiting = Array.from({ length: 101 }, submit);
    log.committedOffset = 101;
    await Promise.all(waiting);
    expect(log.queries).toBeLessThanOrEqual(3);
    expect(log.mostAsked).toBeGreaterThanOrEqual(100);
  });

  it('wait on after a failure of the store', async () => {
    const log = new LogWithStore();
    log.failures = 1;
    log.committedOffset = 1;
    expect(await submitTo(log)()).toEqual(appliedSeq(1));
    expect(log.queries).toBe(2);
  });
});
