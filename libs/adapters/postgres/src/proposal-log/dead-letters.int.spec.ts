import { beforeEach, describe, expect, it } from '@jest/globals';
import type { DeadLetterPlace, Proposal, Replay } from '@stratalog/domain';
import type { DeadLetterSelection, Rejection, WriteSet } from '@stratalog/ports';
import { openEmptyStore, type StoreUnderTest } from '../testing/empty-store';
import { useSuiteDatabase } from '../testing/suite-database';
import { PostgresDeadLetters } from './dead-letters';

const URN = 'urn:li:tag:a';
const ACTOR = 'urn:li:corpuser:operator';
const NO_WRITES: WriteSet = { changes: [], deletions: [], refreshes: [], rejections: [], outcomes: [] };
const place = (offset: number): DeadLetterPlace => ({ log: '', partition: 0, offset });

const proposalOf = (urn: string, more: Partial<Proposal> = {}): Proposal => ({
  entityType: 'tag',
  urn,
  aspectName: 'status',
  changeType: 'UPSERT',
  value: '{"urn":"urn:li:tag:in-a-value"}',
  actor: 'urn:li:corpuser:a',
  ...more,
});

describe('PostgresDeadLetters', () => {
  const suite = useSuiteDatabase({ poolSize: 8 });
  let under: StoreUnderTest;
  let letters: PostgresDeadLetters;
  let offset: number;

  beforeEach(async () => {
    under = await openEmptyStore(suite.database);
    letters = new PostgresDeadLetters(suite.database, under.clock);
    offset = 0;
  });

  /** Commits one record of the log. */
  const commit = async (
    write: Partial<WriteSet> | ((open: ReadonlySet<string> | undefined) => Partial<WriteSet>),
    replayed: readonly DeadLetterPlace[] = [],
  ): Promise<void> => {
    offset += 1;
    await under.store.commit({
      ranges: [{ partition: 0, from: offset - 1, to: offset, unlogged: true }],
      reads: [],
      letters: replayed,
      decide: ({ openLetters }) => ({
        ...NO_WRITES,
        outcomes: [{ kind: 'rejected', reason: '' }],
        ...(typeof write === 'function' ? write(openLetters) : write),
      }),
    });
  };
  const reject = (rejection: Partial<Rejection> = {}): Promise<void> =>
    commit({
      rejections: [
        {
          position: { partition: 0, offset: offset + 1 },
          reason: `Expected version ${String(offset)} of ${URN}`,
          content: { proposal: proposalOf(URN) },
          ...('content' in rejection ? {} : { cause: 'conflict' as const }),
          ...rejection,
        },
      ],
    });
  const offsets = async (selection: DeadLetterSelection): Promise<readonly number[]> =>
    (await letters.list({ ...selection, start: 0, limit: 100 })).records.map(
      ({ position }) => position.offset,
    );

  it('selects by each condition, newest first, and pages by a mark', async () => {
    await reject();
    under.clock.time = 2_000;
    await reject({
      reason: 'no "such" aspect',
      code: 'unknown-aspect',
      content: { proposal: proposalOf('urn:li:tag:"b') },
    });
    await reject({ reason: 'bytes', content: { bytes: Buffer.from([0, 255]) } });
    expect(await offsets({})).toEqual([3, 2, 1]);
    expect(await offsets({ urn: URN })).toEqual([1]);
    expect(await offsets({ urn: 'urn:li:tag:"b' })).toEqual([2]);
    expect(await offsets({ urn: 'urn:li:tag:in-a-value' })).toEqual([]);
    expect(await offsets({ entityType: 'tag' })).toEqual([2, 1]);
    expect(await offsets({ cause: 'unknown-aspect' })).toEqual([2]);
    expect(await offsets({ cause: 'undecodable' })).toEqual([3]);
    expect(await offsets({ reason: '"such"' })).toEqual([2]);
    expect(await offsets({ fromMs: 2_000 })).toEqual([3, 2]);
    expect(await offsets({ toMs: 2_000 })).toEqual([1]);
    expect(await offsets({ isWaiting: true })).toEqual([2]);
    const { records, total } = await letters.list({
      start: 0,
      limit: 1,
      after: { rejectedMs: 2_000, position: place(3) },
    });
    expect([total, records[0]?.position.offset]).toEqual([3, 2]);
    expect((await letters.read(place(3)))?.bytes).toEqual(Buffer.from([0, 255]));
    expect(await letters.read(place(9))).toBeUndefined();
  });

  it('counts reasons that differ in urns, quoted texts and numbers together', async () => {
    await reject();
    await reject();
    await reject({ content: { bytes: Buffer.from('x') }, reason: 'broken' });
    expect(await letters.countReasons({})).toEqual([
      { cause: 'conflict', pattern: 'Expected version … of …', count: 2, oldestMs: 1_000, newestMs: 1_000 },
      { cause: 'undecodable', pattern: 'broken', count: 1, oldestMs: 1_000, newestMs: 1_000 },
    ]);
    expect(await letters.countOpen()).toEqual(
      new Map([
        ['conflict', 2],
        ['undecodable', 1],
      ]),
    );
  });

  it('is settled by the commit of its replay, once', async () => {
    await reject();
    const replay: Replay = { letter: place(1), actor: ACTOR };
    await commit(
      (open) => {
        expect([...(open ?? [])]).toEqual(['0.1']);
        return { replays: [{ ...replay, stampMs: 5_000 }] };
      },
      [place(1)],
    );
    expect(await letters.read(place(1))).toMatchObject({
      state: 'replayed',
      settledMs: 5_000,
      settledBy: ACTOR,
    });
    await commit(
      (open) => {
        expect([...(open ?? [])]).toEqual([]);
        return {};
      },
      [place(1), place(9)],
    );
    expect(await letters.discard({ position: place(1) }, ACTOR)).toBe(0);
    expect(await letters.isReplayStamp(place(2), URN, 5_000)).toBe(true);
    expect(await letters.isReplayStamp(place(2), URN, 5_001)).toBe(false);
    expect(await letters.isReplayStamp(place(1), URN, 5_000)).toBe(false);
  });

  it('keeps the newer reason when its replay is rejected, and the start may log it again', async () => {
    await reject({ code: 'unknown-aspect' });
    await letters.markLogged([place(1)]);
    expect(await letters.readOpen({ isWaiting: true }, undefined, 9)).toMatchObject([{ isLogged: true }]);
    under.clock.time = 3_000;
    await commit(
      {
        rejections: [
          {
            position: { partition: 0, offset: 2 },
            reason: 'again',
            code: 'unknown-aspect',
            content: { proposal: proposalOf(URN) },
            replay: { letter: place(1) },
          },
        ],
      },
      [place(1)],
    );
    expect(await offsets({})).toEqual([1]);
    expect(await letters.read(place(1))).toMatchObject({
      state: 'open',
      reason: 'again',
      times: 2,
      rejectedMs: 1_000,
      lastRejectedMs: 3_000,
    });
    expect(await letters.readOpen({ isWaiting: true }, undefined, 9)).toMatchObject([{ isLogged: false }]);
  });

  it('reads open ones in log order, and finds an earlier one of an urn', async () => {
    for (let each = 0; each < 4; each++) await reject();
    expect(await letters.discard({ position: place(2) }, ACTOR)).toBe(1);
    const page = await letters.readOpen({}, place(1), 9);
    expect(page.map(({ position }) => position.offset)).toEqual([3, 4]);
    expect(await letters.findEarlier(place(3), [URN])).toEqual(place(1));
    expect(await letters.findEarlier(place(3), ['urn:li:tag:other'])).toBeUndefined();
    expect(await letters.findEarlier(place(1), [URN])).toBeUndefined();
  });

  it('discards so many of a selection, and purges what was settled long ago', async () => {
    for (let each = 0; each < 3; each++) await reject();
    expect(await letters.discard({ selection: { cause: 'failed' }, limit: 9 }, ACTOR)).toBe(0);
    expect(await letters.discard({ selection: { cause: 'conflict' }, limit: 2 }, ACTOR)).toBe(2);
    expect(await letters.discard({ selection: {}, limit: 2 }, ACTOR)).toBe(1);
    under.clock.time = 10_000;
    await letters.purge(9_500);
    expect(await offsets({})).toHaveLength(3);
    await letters.purge(8_000);
    expect(await offsets({})).toEqual([]);
  });
});
