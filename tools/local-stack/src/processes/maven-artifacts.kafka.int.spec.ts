import { afterAll, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { resolveClassPath } from './maven-artifacts';

const LIMIT_MS = limitMs(300_000);
const cacheDir = mkdtempSync(join(tmpdir(), `stratalog-test-${process.pid}-cache-`));
afterAll(() => {
  rmSync(cacheDir, { recursive: true, force: true });
});

const small = { name: 'binding', coordinates: ['org.slf4j:slf4j-simple:1.7.36'] };

it(
  'fetches once for all who ask at the same time, and keeps nothing half done',
  async () => {
    const said: string[] = [];
    const options = { cacheDir, log: (line: string) => said.push(line), signal: undefined };
    const paths = await Promise.all([resolveClassPath(small, options), resolveClassPath(small, options)]);
    expect(paths[0]).toBe(paths[1]);
    const names = paths[0].split(delimiter).map((path) => basename(path));
    expect(names).toEqual(['slf4j-api-1.7.36.jar', 'slf4j-simple-1.7.36.jar']);
    expect(said.filter((line) => line.startsWith('fetching'))).toHaveLength(1);
    expect(readdirSync(join(cacheDir, 'servers'))).toEqual([expect.stringMatching(/^binding-[0-9a-f]{12}$/)]);
  },
  LIMIT_MS,
);

it(
  'says what could not be fetched, and tries again the next time',
  async () => {
    const unknown = { name: 'nothing', coordinates: ['org.slf4j:slf4j-simple:0.0.0-none'] };
    const options = { cacheDir, log: () => undefined, signal: undefined };
    for (let round = 0; round < 2; round += 1) {
      await expect(resolveClassPath(unknown, options)).rejects.toThrow(
        /Maven could not fetch nothing: .*0\.0\.0-none/s,
      );
    }
  },
  LIMIT_MS,
);
