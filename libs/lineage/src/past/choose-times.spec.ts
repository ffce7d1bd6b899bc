import { describe, expect, it } from '@jest/globals';
import { chooseTimes } from './choose-times';

const WEEK_MS = 7 * 86_400_000;
const NOW = 100 * WEEK_MS;

/** A store whose changes began at a time, and came at a steady rate. */
const storeSince = (firstChangeMs: number, changesPerMs: number) => {
  const positionAt = (timeMs: number) =>
    Promise.resolve({
      position: new Map([[0, Math.floor(Math.max(0, timeMs - firstChangeMs) * changesPerMs)]]),
      firstChangeMs,
    });
  const readPartitionSequences = async () => (await positionAt(NOW)).position;
  return { store: { readPartitionSequences }, history: { positionAt }, clock: { now: () => NOW } };
};

describe('chooseTimes', () => {
  it('compares with a week ago, or the first change', async () => {
    expect(await chooseTimes(storeSince(0, 0.000_1), {})).toEqual({ fromMs: NOW - WEEK_MS, toMs: NOW });
    expect(await chooseTimes(storeSince(NOW - 10, 1), {})).toEqual({ fromMs: NOW - 10, toMs: NOW });
    expect(await chooseTimes(storeSince(0, 0), { to: 5 })).toEqual({ fromMs: 0, toMs: 5 });
  });

  it('begins later where more changes were written than a request reads', async () => {
    const perMs = 0.01;
    const { fromMs } = await chooseTimes(storeSince(0, perMs), {});
    const changes = (NOW - fromMs) * perMs;
    expect(changes).toBeLessThanOrEqual(1_900_000);
    expect(changes).toBeGreaterThan(1_900_000 - 1_000 * perMs - 1);
  });

  it('takes times as they are sent, unless they are in the wrong order', async () => {
    const busy = storeSince(0, 1);
    expect(await chooseTimes(busy, { from: 1, to: 2 })).toEqual({ fromMs: 1, toMs: 2 });
    await expect(chooseTimes(busy, { from: 2, to: 1 })).rejects.toThrow(
      "Parameter 'from' is later than 'to'",
    );
  });
});
