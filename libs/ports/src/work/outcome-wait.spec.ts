import { describe, expect, it } from '@jest/globals';
import { UnavailableError, partitionOf, type Proposal, type ProposalEntry } from '@stratalog/model';
import type { LogPosition } from '../logs/proposal-log';
import type { LoggedOutcome, LoggedProposal } from '../stores/aspect-store';
import { OutcomeWait } from './outcome-wait';

const PARTITIONS = 4;
const POSITION: LogPosition = { partition: 1, offset: 9 };

const proposal = (urn: string): Proposal => ({
  entityType: 'tag',
  urn,
  aspectName: 'tagProperties',
  changeType: 'UPSERT',
  actor: 'urn:li:corpuser:tester',
});

/** Waits over a store that has the given outcome of every urn. */
function waitOver(toOutcome: (urn: string) => LoggedOutcome, commitTimeoutMs = 60_000): OutcomeWait {
  const readOutcomes = (proposals: readonly LoggedProposal[]) =>
    Promise.resolve(proposals.map(({ urn }) => toOutcome(urn)));
  const identity = { storeId: 's', epoch: 1, partitions: PARTITIONS };
  return new OutcomeWait({ store: { identity, readOutcomes }, commitTimeoutMs });
}

const UNUSED = (): LoggedOutcome => {
  throw new Error('nothing polls');
};

describe('OutcomeWait', () => {
  const urns = ['urn:li:tag:a', 'urn:li:tag:bb', 'urn:li:tag:ccc', 'urn:li:tag:dddd', 'urn:li:tag:eeeee'];
  const [first = '', ...others] = urns;
  const batch: ProposalEntry = { proposals: [proposal(first), ...others.map(proposal)] };

  it('takes an outcome that is there at once, without a poll', async () => {
    const applied = { version: 1, partition: 2, seq: 7 };
    const of = (outcome: Parameters<OutcomeWait['untilApplied']>[1]) =>
      waitOver(UNUSED).untilApplied(proposal(first), outcome);
    for (const kind of ['written', 'unchanged'] as const) {
      const outcome = await of(Promise.resolve({ ...applied, kind }));
      expect(outcome).toEqual({
        kind: 'applied',
        position: { storeId: 's', epoch: 1, seqs: new Map([[2, 7]]) },
      });
    }
    const cause = new Error('broken');
    expect(await of(Promise.resolve({ kind: 'failed', cause }))).toEqual({ kind: 'failed', cause });
    const rejected = { kind: 'rejected', reason: 'not good' } as const;
    expect(await of(Promise.resolve(rejected))).toEqual(rejected);
  });

  it('has the highest seq of each partition of a batch, polled or not', async () => {
    const seqs = new Map<number, number>();
    for (const urn of urns) {
      const partition = partitionOf(urn, PARTITIONS);
      seqs.set(partition, Math.max(urn.length, seqs.get(partition) ?? 0));
    }
    const position = { storeId: 's', epoch: 1, seqs };
    const outcomes = urns.map((urn) => ({
      kind: 'written' as const,
      version: 1,
      partition: partitionOf(urn, PARTITIONS),
      seq: urn.length,
    }));
    const direct = waitOver(UNUSED).untilApplied(batch, Promise.resolve({ kind: 'batch', outcomes }));
    const polled = waitOver(({ length }) => ({ kind: 'applied', seq: length })).untilApplied(
      batch,
      Promise.resolve(POSITION),
    );
    expect(await Promise.all([direct, polled])).toEqual([
      { kind: 'applied', position },
      { kind: 'applied', position },
    ]);
  });

  it('finds the rejection of a batch by polling', async () => {
    const rejected = { kind: 'rejected', reason: '/proposals/1 :: not good' } as const;
    expect(await waitOver(() => rejected).untilApplied(batch, Promise.resolve(POSITION))).toEqual(rejected);
  });

  it('gives up on a log that hangs, and asks to repeat the proposal', async () => {
    const hanging = waitOver(UNUSED, 20).untilApplied(proposal(first), new Promise(() => undefined));
    await expect(hanging).rejects.toThrow(
      new UnavailableError(
        'The store did not answer within 20 ms; the proposal may be applied yet, repeat it to be sure',
      ),
    );
  });

  it('passes on the failure of the log', async () => {
    const failed = waitOver(UNUSED).untilTaken(Promise.reject(new UnavailableError('away')));
    await expect(failed).rejects.toThrow(new UnavailableError('away'));
  });
});
