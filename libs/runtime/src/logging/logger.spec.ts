import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger';

describe('createLogger', () => {
  const written = (isTerminal: boolean): string => {
    let text = '';
    const write = (line: string): void => {
      text += line;
    };
    const options = { app: 'writer', instance: 'a1', isTerminal, write };
    createLogger({ logLevel: 'info' }, options).warn({ reason: 'away' }, 'waiting');
    return text;
  };

  it('names app, instance and process on every line of JSON', () => {
    expect(JSON.parse(written(false))).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      app: 'writer',
      instance: 'a1',
      pid: process.pid,
      reason: 'away',
      msg: 'waiting',
    });
  });

  it('writes for people on a terminal', () => {
    expect(written(true)).toMatch(/^\d\d:\d\d:\d\d writer: WARN waiting reason=away\n$/);
  });
});
