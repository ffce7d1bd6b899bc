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

  it('lets no text that a client chose write a line of its own, or command the terminal', () => {
    const chosen = 'a\n10:20:30 writer: all is well\u001b[2J\u009b2J\u202e';
    const line = { ...OWN, level: 'error', msg: 'm', urn: chosen, of: { chosen }, err: { stack: chosen } };
    const shown = logLine(JSON.stringify(line));
    // eslint-disable-next-line no-control-regex -- the very characters that must not be shown
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u0080-\u009f\u202e]/);
    const others = shown.split('\n').slice(1, -1);
    expect(others.filter((each) => !each.startsWith('  '))).toEqual([]);
  });

  it('shortens what is long', () => {
    const shown = logLine(JSON.stringify({ ...OWN, level: 'info', msg: 'm', notes: 'x'.repeat(10_000) }));
    expect(shown.length).toBeLessThan(300);
  });
});
