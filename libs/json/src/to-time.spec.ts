import { describe, expect, it } from '@jest/globals';
import { toTime } from './to-time';

describe('toTime', () => {
  it.each([
    ['2026-11-22', Date.UTC(2026, 10, 22)],
    [' 2026-11-22T10:00Z ', Date.UTC(2026, 10, 22, 10)],
    ['2026-11-22T10:00:00.250+02:00', Date.UTC(2026, 10, 22, 8, 0, 0, 250)],
    ['2026-11-22T01:00:00+02:00', Date.UTC(2026, 10, 21, 23)],
    ['1700000000000', 1_700_000_000_000],
    [1_700_000_000_000, 1_700_000_000_000],
    [0, 0],
  ])('reads %j', (sent, timeMs) => {
    expect(toTime(sent)).toBe(timeMs);
  });

  it.each([
    '',
    'yesterday',
    '2026',
    '2026-02-30',
    '2026-13-01',
    '2026-11-22T10:00',
    '2026-11-22T25:00Z',
    '2026-11-22 10:00Z',
    -1,
    1.5,
    1e300,
    true,
    null,
    ['2026-11-22'],
  ])('does not read %j', (sent) => {
    expect(toTime(sent)).toBeUndefined();
  });
});
