import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Database,
  PostgresCallCounts,
  createScratchDatabase,
  type ScratchDatabase,
} from '@stratalog/adapters-postgres';
import { CallLimits } from '@stratalog/http';

const GUESSER = '203.0.113.7';

describe('the limits of two processes with one store', () => {
  let scratch: ScratchDatabase;
  let database: Database;
  let nowMs = 1_780_000_000_000;

  beforeAll(async () => {
    scratch = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    database = await Database.open({ url: scratch.url, poolSize: 4 });
  });
  afterAll(async () => {
    await database.close();
    await scratch.drop();
  });

  const open = (): CallLimits =>
    new CallLimits({
      readsPerSecond: 1,
      writesPerSecond: 0,
      maxFailedTokens: 3,
      shared: new PostgresCallCounts(database),
      now: () => nowMs,
    });
  const isRejected = (call: () => void): boolean => {
    try {
      call();
      return false;
    } catch {
      return true;
    }
  };
  const countReads = (limits: CallLimits, times: number): number =>
    Array.from({ length: times }, () =>
      isRejected(() => {
        limits.rejectFast('urn:li:corpuser:a', 'read');
      }),
    ).filter((rejected) => !rejected).length;

  it('lock out a guesser at both, and bound a rate over both', async () => {
    const [one, other] = [open(), open()];
    for (let guesses = 0; guesses < 4; guesses += 1) one.fail(GUESSER);
    expect(
      isRejected(() => {
        other.rejectGuesser(GUESSER);
      }),
    ).toBe(false);
    expect([countReads(one, 6), countReads(other, 2)]).toEqual([6, 2]);
    await one.exchange();
    await other.exchange();
    expect(
      isRejected(() => {
        other.rejectGuesser(GUESSER);
      }),
    ).toBe(true);
    expect(
      isRejected(() => {
        other.rejectGuesser('203.0.113.8');
      }),
    ).toBe(false);
    // The other process knows of six calls, and has admitted two itself.
    expect(countReads(other, 100)).toBe(2);
    nowMs += 60_000;
    expect([
      countReads(one, 100),
      isRejected(() => {
        other.rejectGuesser(GUESSER);
      }),
    ]).toEqual([10, false]);
  });

  it('hold alone while the store is away', async () => {
    const away = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    const lost = await Database.open({ url: away.url, poolSize: 4 });
    await lost.close();
    await away.drop();
    const limits = new CallLimits({
      readsPerSecond: 1,
      writesPerSecond: 0,
      maxFailedTokens: 0,
      shared: new PostgresCallCounts(lost),
      now: () => nowMs,
    });
    expect(countReads(limits, 6)).toBe(6);
    await limits.exchange();
    expect(countReads(limits, 6)).toBe(4);
  });
});
