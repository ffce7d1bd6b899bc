import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { whetherInDocker } from './whether-in-docker';

describe('whetherInDocker', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), `stratalog-test-${process.pid}-docker-`));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it.each([true, false])('does as requested without kept data: %s', async (asked) => {
    expect(await whetherInDocker(undefined, asked)).toBe(asked);
    expect(await whetherInDocker(join(folder, 'new'), asked)).toBe(asked);
  });

  it.each([true, false])('continues as the data were made: %s', async (asked) => {
    await whetherInDocker(folder, asked);
    expect(await whetherInDocker(folder, undefined)).toBe(asked);
    expect(await whetherInDocker(folder, asked)).toBe(asked);
  });

  it('rejects the mode in which the data were not made', async () => {
    await whetherInDocker(folder, true);
    await expect(whetherInDocker(folder, false)).rejects.toThrow('are Docker volumes; start with --docker');
  });

  it('knows a folder that was made before it was noted', async () => {
    mkdirSync(join(folder, 'kafka'));
    expect(await whetherInDocker(folder, undefined)).toBe(false);
    await expect(whetherInDocker(folder, true)).rejects.toThrow('start with --no-docker');
  });
});
