import { expect, it } from '@jest/globals';
import { pauseAfter, until, waitFor } from './until';

it('repeats a query until it has a result', async () => {
  let asked = 0;
  const ask = (): number | false => (++asked === 3 ? asked : false);
  expect(await until(ask, { limitMs: 60_000, pollMs: 1 })).toBe(3);
});

it('returns nothing when the time has run out, after one query at least', async () => {
  let asked = 0;
  const ask = (): boolean => ++asked === 0;
  expect(await until(ask, { limitMs: 0, pollMs: 1 })).toBeUndefined();
  expect(asked).toBeGreaterThan(0);
});

it('ends with the reason of the abort', async () => {
  const ending = new AbortController();
  const waiting = until(() => undefined, { limitMs: 60_000, signal: ending.signal });
  ending.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow();
});

it('names the thing that it waited for in vain', async () => {
  const options = { what: 'the second answer', pollMs: 1 };
  expect(await waitFor(() => 'the first', { ...options, limitMs: 0 })).toBe('the first');
  await expect(waitFor(() => undefined, { ...options, limitMs: 0 })).rejects.toThrow(
    'Waited 0 ms in vain for the second answer',
  );
});

it('asks every 10 ms at first, and every 100 ms in the end', () => {
  expect([0, 200, 1_000, 2_500, 60_000].map(pauseAfter)).toEqual([10, 10, 40, 100, 100]);
});
