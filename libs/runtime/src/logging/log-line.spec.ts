import { describe, expect, it } from '@jest/globals';
import { logLine } from './log-line';

const OWN = { time: '2026-11-22T10:20:30.123Z', app: 'writer', instance: 'a1', pid: 7 };

describe('logLine', () => {
  it.each([
    [
      { ...OWN, level: 'info', msg: 'stopping', reason: 'SIGTERM' },
      '10:20:30 writer: stopping reason=SIGTERM\n',
    ],
    [
      { ...OWN, level: 'warn', msg: 'waiting for Kafka', after: 12, place: { partition: 3 } },
      '10:20:30 writer: WARN waiting for Kafka after=12 place={"partition":3}\n',
    ],
    [
      { ...OWN, level: 'error', msg: 'a request failed', err: { message: 'm', stack: 'Error: m\n    at x' } },
      '10:20:30 writer: ERROR a request failed\n  Error: m\n      at x\n',
    ],
  ])('is short and has all that one needs', (line, shown) => {
    expect(logLine(JSON.stringify(line))).toBe(shown);
  });

  it('shortens what is long', () => {
    const shown = logLine(JSON.stringify({ ...OWN, level: 'info', msg: 'm', notes: 'x'.repeat(10_000) }));
    expect(shown.length).toBeLessThan(300);
  });
});
