import { describe, expect, it } from '@jest/globals';
import { CallRates, RATE_WINDOW_MS } from './call-rates';

const START = 178_000_000 * RATE_WINDOW_MS;

/** Counts the admitted ones of calls at these times. */
const countAdmitted = (rates: CallRates, name: string, times: readonly number[]): number =>
  times.filter((time) => rates.admit(name, START + time) === 0).length;
const repeat = (time: number, count: number): number[] => Array<number>(count).fill(time);

describe('the rate of a caller', () => {
  it('is an average over the window', () => {
    const rates = new CallRates('read', 2);
    expect(countAdmitted(rates, 'a', repeat(0, 100))).toBe(20);
    expect(countAdmitted(rates, 'b', repeat(0, 5))).toBe(5);
    // Halfway through the next window, half of the window before still counts.
    expect(countAdmitted(rates, 'a', repeat(15_000, 100))).toBe(10);
    expect(countAdmitted(rates, 'a', repeat(60_000, 100))).toBe(20);
  });

  it('tells when to call again', () => {
    const rates = new CallRates('read', 1);
    countAdmitted(rates, 'a', repeat(0, 10));
    // Six seconds to the next window, and one until a tenth of these calls counts no more.
    expect(rates.admit('a', START + 4_000)).toBe(7_000);
    const waitMs = rates.admit('a', START + 10_000);
    expect(waitMs).toBe(1_000);
    expect(rates.admit('a', START + 10_000 + waitMs)).toBe(0);
  });

  it('includes the calls at other processes', () => {
    const one = new CallRates('write', 1);
    const other = new CallRates('write', 1);
    countAdmitted(one, 'a', repeat(0, 6));
    countAdmitted(other, 'a', repeat(0, 3));
    expect(one.takeUnshared()).toEqual([{ kind: 'write', caller: 'a', window: 178_000_000, count: 6 }]);
    expect(one.takeUnshared()).toEqual([]);
    const [own] = other.takeUnshared();
    other.learn({ kind: 'write', caller: 'a', window: own?.window ?? 0, count: 9 });
    expect(countAdmitted(other, 'a', repeat(1, 100))).toBe(1);
    // A report about a past window changes nothing.
    other.learn({ kind: 'write', caller: 'a', window: 1, count: 1_000 });
    expect(countAdmitted(other, 'a', repeat(60_000, 5))).toBe(5);
  });

  it('is forgotten for those that called longest ago, beyond ten thousand', () => {
    const rates = new CallRates('read', 1);
    expect(countAdmitted(rates, 'first', repeat(0, 11))).toBe(10);
    for (let at = 0; at < 10_000; at += 1) rates.admit(`caller-${String(at)}`, START);
    expect(countAdmitted(rates, 'first', repeat(0, 11))).toBe(10);
    expect(countAdmitted(rates, 'caller-9999', repeat(0, 11))).toBe(9);
  });
});
