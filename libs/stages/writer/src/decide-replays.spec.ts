import { describe, expect, it } from '@jest/globals';
import { asReplay, formatDeadLetterId, type Proposal } from '@stratalog/domain';
import { allSteps } from '@stratalog/json';
import type { WriteSnapshot } from '@stratalog/ports';
import type { CheckedRecord } from './check-record';
import { decideWrites } from './decide-writes';
import { A, RULES, record } from './testing/history';

const LETTER = { log: '', partition: 0, offset: 3 };
const REPLAY = { letter: LETTER, actor: 'urn:li:corpuser:operator' };

const snapshotWith = (openLetters: ReadonlySet<string>): WriteSnapshot => ({
  stamps: new Map([[0, 77]]),
  seqs: new Map(),
  partitionOf: () => 0,
  entity: () => undefined,
  aspect: () => undefined,
  lastVersion: () => 0,
  isMissing: () => true,
  aspectNames: () => [],
  timeseriesValue: () => undefined,
  nonEmptyRanges: [],
  referenceValue: () => undefined,
  openLetters,
});
const OPEN = snapshotWith(new Set([formatDeadLetterId(LETTER)]));
const decide = (snapshot: WriteSnapshot, ...records: readonly CheckedRecord[]) =>
  allSteps(decideWrites(records, snapshot, RULES));
const replay = (value: string, more: Parameters<typeof record>[3] = {}): CheckedRecord => ({
  ...record(A, 'status', value, more),
  replay: REPLAY,
});

describe('a replay of a dead letter', () => {
  it('is applied and settles the letter, with the stamp of its changes', () => {
    const { changes, replays, rejections } = decide(OPEN, replay('1'));
    expect(changes.at(-1)).toMatchObject({ aspectName: 'status', value: '1', created: { time: 77 } });
    expect(replays).toEqual([{ ...REPLAY, stampMs: 77 }]);
    expect(rejections).toEqual([]);
  });

  it('changes nothing once the letter is settled: before the batch, or by it', () => {
    expect(decide(snapshotWith(new Set()), replay('1'))).toMatchObject({ changes: [], replays: [] });
    const { changes, replays, outcomes } = decide(OPEN, replay('1'), record(A, 'status', '2'), replay('1'));
    expect(changes.at(-1)?.value).toBe('2');
    expect(replays).toHaveLength(1);
    expect(outcomes.at(-1)).toEqual({ kind: 'batch', outcomes: [] });
  });

  it('that is rejected names its letter, also when nobody logged it', () => {
    const { replays, rejections } = decide(
      OPEN,
      replay('1', { preconditions: { version: 5 }, isUnlogged: true }),
    );
    expect(replays).toEqual([]);
    expect(rejections).toMatchObject([{ replay: REPLAY, cause: 'conflict' }]);
  });

  it('that the model rejects names its letter, whatever happens to unknown aspects', () => {
    const proposal: Proposal = asReplay(
      { entityType: 'tag', urn: A, aspectName: 'none', changeType: 'UPSERT', actor: A },
      REPLAY,
    );
    const rejected: CheckedRecord = {
      kind: 'rejected',
      reason: 'unknown',
      isDropped: true,
      position: { partition: 0, offset: 9 },
      content: { proposal },
      replay: REPLAY,
    };
    expect(decide(OPEN, rejected).rejections).toEqual([rejected]);
    expect(decide(snapshotWith(new Set()), rejected).rejections).toEqual([]);
  });
});
