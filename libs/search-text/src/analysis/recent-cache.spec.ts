import { expect, test } from '@jest/globals';
import { RecentCache } from './recent-cache';

test('given more texts than it holds, then those that are asked for again stay, and others are forgotten', () => {
  const cache = new RecentCache<number>(10);
  cache.set('usual', 1);
  cache.set('once', 2);
  for (let at = 0; at < 100; at++) {
    cache.set(`text ${String(at)}`, at);
    expect(cache.get('usual')).toBe(1);
  }
  expect(cache.get('once')).toBeUndefined();
  expect(cache.get('text 99')).toBe(99);
});

test('given a text that it does not know, then its value is made once', () => {
  const cache = new RecentCache<string>(10);
  const made: string[] = [];
  const make = (text: string): string => {
    made.push(text);
    return text.toUpperCase();
  };
  expect([cache.getOrMake('a', make), cache.getOrMake('a', make)]).toEqual(['A', 'A']);
  expect(made).toEqual(['a']);
});
