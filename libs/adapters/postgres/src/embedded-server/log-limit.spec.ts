import { describe, expect, it } from '@jest/globals';
import { logLimitWithin } from './log-limit';

describe("The limit of the server's log", () => {
  it('is an eighth of the room that the disk has', () => {
    expect(logLimitWithin(4_096)).toBe(512);
  });

  it('leaves most of a small disk to data, and is never below four files', () => {
    expect([logLimitWithin(264), logLimitWithin(0)]).toEqual([64, 64]);
  });

  it('is a gigabyte at most, so that recovery takes no longer on a large disk', () => {
    expect(logLimitWithin(1_000_000)).toBe(1_024);
  });
});
