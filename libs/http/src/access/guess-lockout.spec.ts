import { describe, expect, it } from '@jest/globals';
import { GuessLockout } from './guess-lockout';

const START = 1_780_000_000_000;
const fail = (lockout: GuessLockout, network: string, times: number): void => {
  for (let at = 0; at < times; at += 1) lockout.fail(network, START);
};

describe('a network that sends wrong tokens', () => {
  it('is locked out for a time that doubles, up to a quarter of an hour', () => {
    const lockout = new GuessLockout(3);
    fail(lockout, 'a', 2);
    expect(lockout.readLock('a', START)).toBe(0);
    const locks = Array.from({ length: 12 }, () => {
      lockout.fail('a', START);
      return lockout.readLock('a', START) / 1_000;
    });
    expect(locks).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
    expect(lockout.readLock('a', START + 900_000)).toBe(0);
    expect(lockout.readLock('b', START)).toBe(0);
  });

  it('is forgiven after an hour', () => {
    const lockout = new GuessLockout(3);
    fail(lockout, 'a', 10);
    lockout.fail('a', START + 3_600_001);
    expect(lockout.readLock('a', START + 3_600_001)).toBe(0);
  });

  it('is locked out for its guesses at other processes', () => {
    const one = new GuessLockout(3);
    const other = new GuessLockout(3);
    fail(one, 'a', 3);
    const counts = one.takeUnshared(START);
    expect(counts).toEqual([{ kind: 'failure', caller: 'a', window: 494_444, count: 3 }]);
    expect(one.takeUnshared(START)).toEqual([]);
    for (const count of counts) other.learn(count, START);
    expect(other.readLock('a', START)).toBe(1_000);
    // The same count once more prolongs nothing.
    for (const count of counts) other.learn(count, START + 900);
    expect(other.readLock('a', START + 1_000)).toBe(0);
    expect(other.takeUnshared(START)).toEqual([]);
  });

  it('is forgotten when ten thousand others failed since', () => {
    const lockout = new GuessLockout(1);
    fail(lockout, 'a', 1);
    for (let at = 0; at < 10_000; at += 1) lockout.fail(`network-${String(at)}`, START);
    expect(lockout.readLock('a', START)).toBe(0);
    expect(lockout.readLock('network-9999', START)).toBe(1_000);
  });
});
