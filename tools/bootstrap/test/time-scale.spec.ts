import { expect, test } from '@jest/globals';
import { measureSlowness, timeScale } from './time-scale.mjs';

test('a fast and quiet machine keeps the limits as they are written', () => {
  expect(timeScale(1, 0)).toBe(1);
  expect(timeScale(0.4, 2)).toBe(1);
});

test('limits grow with the slowness of the machine and with its other load', () => {
  expect(timeScale(3, 1)).toBe(3);
  expect(timeScale(1, 8)).toBe(4);
  expect(timeScale(2, 6)).toBe(6);
});

test('limits never grow beyond ten times', () => {
  expect(timeScale(100, 100)).toBe(10);
});

test('the slowness of this machine is measured by its processor time', () => {
  const slowness = measureSlowness();
  expect(slowness).toBeGreaterThan(0.05);
  expect(slowness).toBeLessThan(50);
});

test('the limit of a suite is the scaled one', () => {
  expect(limitMs(1_000)).toBeGreaterThanOrEqual(1_000);
  expect(limitMs(1_000)).toBeLessThanOrEqual(10_000);
});
