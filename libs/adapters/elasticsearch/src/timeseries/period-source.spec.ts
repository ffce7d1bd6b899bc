import { expect, test } from '@jest/globals';
import type { TimePeriods } from '@stratalog/ports';
import { toPeriodSource } from './period-source';

const periods = (unit: TimePeriods['unit'], multiple = 1, timeZone = 'UTC'): TimePeriods => ({
  kind: 'time',
  unit,
  multiple,
  timeZone,
});

test.each([
  [periods('HOUR', 6), { fixed_interval: '6h' }],
  [periods('DAY', 2), { fixed_interval: '2d' }],
  [periods('WEEK'), { fixed_interval: '7d', offset: '-3d' }],
  [periods('MONTH'), { calendar_interval: 'month' }],
])('given %j in UTC, then the engine has the periods', (asked, source) => {
  expect(toPeriodSource(asked)).toEqual(source);
});

test.each([
  ['several months', periods('MONTH', 2)],
  ['a zone whose rules servers of several releases have', periods('DAY', 1, 'America/Vancouver')],
  ['a zone that old releases do not know', periods('MONTH', 1, 'America/Coyhaique')],
])('given %s, then the store has to answer', (_what, asked) => {
  expect(toPeriodSource(asked)).toBeUndefined();
});
