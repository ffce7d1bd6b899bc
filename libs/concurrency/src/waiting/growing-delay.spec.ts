import { expect, test } from '@jest/globals';
import { GrowingDelay } from './growing-delay';

test('each failure in a row doubles the delay up to five seconds, and a success ends that', () => {
  const delay = new GrowingDelay(250);
  const delays = Array.from({ length: 7 }, () => delay.failed());
  expect(delays).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
  delay.succeeded();
  expect(delay.failed()).toBe(250);
});

test('a first delay of more than five seconds stays as it is', () => {
  const delay = new GrowingDelay(60_000);
  expect([delay.failed(), delay.failed()]).toEqual([60_000, 60_000]);
});
