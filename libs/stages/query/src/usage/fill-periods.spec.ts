import { describe, expect, it } from '@jest/globals';
import { fillPeriods } from './fill-periods';

const ms = (time: string): number => Date.parse(time);
const fill = (
  duration: 'HOUR' | 'DAY' | 'WEEK' | 'MONTH' | 'YEAR',
  timeZone: string,
  ...times: readonly string[]
) =>
  [...fillPeriods(times.map(ms), { duration, timeZone })].map((each) =>
    new Date(each).toISOString().slice(0, 16),
  );

describe('fillPeriods', () => {
  it('adds the periods between the first and the last, and none outside', () => {
    expect(fill('DAY', 'UTC', '2024-02-27T00:00Z', '2024-03-02T00:00Z', '2024-03-03T00:00Z')).toEqual([
      '2024-02-27T00:00',
      '2024-02-28T00:00',
      '2024-02-29T00:00',
      '2024-03-01T00:00',
      '2024-03-02T00:00',
      '2024-03-03T00:00',
    ]);
    expect(fill('DAY', 'UTC')).toEqual([]);
    expect(fill('YEAR', 'UTC', '2024-01-01T00:00Z')).toEqual(['2024-01-01T00:00']);
  });

  it.each<[Parameters<typeof fill>[0], string, string, string, readonly string[]]>([
    ['HOUR', 'UTC', '2024-01-01T00:00Z', '2024-01-01T02:00Z', ['2024-01-01T01:00']],
    ['WEEK', 'UTC', '2024-02-26T00:00Z', '2024-03-11T00:00Z', ['2024-03-04T00:00']],
    ['MONTH', 'UTC', '2024-01-01T00:00Z', '2024-04-01T00:00Z', ['2024-02-01T00:00', '2024-03-01T00:00']],
    ['YEAR', 'UTC', '2022-01-01T00:00Z', '2024-01-01T00:00Z', ['2023-01-01T00:00']],
    // Clocks go forward on 31 March and back on 27 October.
    [
      'DAY',
      'Europe/Berlin',
      '2024-03-29T23:00Z',
      '2024-04-01T22:00Z',
      ['2024-03-30T23:00', '2024-03-31T22:00'],
    ],
    [
      'DAY',
      'Europe/Berlin',
      '2024-10-25T22:00Z',
      '2024-10-28T23:00Z',
      ['2024-10-26T22:00', '2024-10-27T23:00'],
    ],
    ['MONTH', 'America/New_York', '2024-03-01T05:00Z', '2024-05-01T04:00Z', ['2024-04-01T04:00']],
    ['WEEK', 'Asia/Kolkata', '2024-03-03T18:30Z', '2024-03-17T18:30Z', ['2024-03-10T18:30']],
    // Here midnight does not exist on 4 November 2018.
    ['DAY', 'America/Sao_Paulo', '2018-11-03T03:00Z', '2018-11-05T02:00Z', ['2018-11-04T03:00']],
  ])('fillPeriods by the calendar: %s in %s', (duration, timeZone, first, last, between) => {
    const [start, end] = [first, last].map((time) => new Date(ms(time)).toISOString().slice(0, 16));
    expect(fill(duration, timeZone, first, last)).toEqual([start, ...between, end]);
  });
});
