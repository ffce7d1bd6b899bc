import { describe, expect, it } from '@jest/globals';
import { Upstreams } from './upstreams';

describe('Upstreams', () => {
  it('takes instances in turn', () => {
    const upstreams = new Upstreams(['a', 'b', 'c'], () => 0);
    const taken = Array.from({ length: 6 }, () => upstreams.next());
    expect(new Set(taken.slice(0, 3))).toEqual(new Set(['a', 'b', 'c']));
    expect(taken.slice(3)).toEqual(taken.slice(0, 3));
  });

  it('skips an instance that failed for a second', () => {
    let now = 0;
    const upstreams = new Upstreams(['a', 'b'], () => now);
    upstreams.failed('a');
    expect([upstreams.next(), upstreams.next()]).toEqual(['b', 'b']);
    now = 1_000;
    expect(new Set([upstreams.next(), upstreams.next()])).toEqual(new Set(['a', 'b']));
  });

  it('uses failed instances when no other is left', () => {
    const upstreams = new Upstreams(['a'], () => 0);
    upstreams.failed('a');
    expect(upstreams.next()).toBe('a');
  });

  it('requires an address', () => {
    expect(() => new Upstreams([], () => 0)).toThrow('An app needs at least one address');
  });
});
