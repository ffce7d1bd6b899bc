import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openServer, type Launch, type ServerPlace } from './running-server';

let cacheDir: string;
beforeEach(() => {
  cacheDir = mkdtempSync(join(tmpdir(), `stratalog-test-${process.pid}-running-`));
});
afterEach(() => {
  rmSync(cacheDir, { recursive: true, force: true });
});

/** Prints the given texts, one for each start, and runs on when it is `ready`. */
function serversThatSay(...texts: readonly string[]) {
  const folders: string[] = [];
  const prepare = ({ folder }: ServerPlace): Promise<Launch & { facts: { starts: () => number } }> => {
    const text = texts[folders.length] ?? 'ready';
    folders.push(folder);
    const run = text === 'ready' ? 'setInterval(() => undefined, 1000)' : '';
    return Promise.resolve({
      command: () => ({
        name: 'The server',
        command: process.execPath,
        args: ['--eval', `console.log(${JSON.stringify(text)}); ${run}`],
        logFile: join(folder, 'log'),
        ready: /^ready$/m,
      }),
      facts: { starts: () => folders.length },
    });
  };
  return { prepare, folders };
}

test('a port that another took meanwhile is no reason to fail', async () => {
  const { prepare } = serversThatSay('java.net.BindException: Address already in use');
  const server = await openServer('server', { cacheDir }, prepare);
  expect(server.starts()).toBe(2);
  await server.stop();
});

test('any other reason is, and nothing is left of data that were to be thrown away', async () => {
  const { prepare, folders } = serversThatSay('the disk is full', 'ready');
  await expect(openServer('server', { cacheDir }, prepare)).rejects.toThrow('the disk is full');
  expect(folders).toHaveLength(1);
  expect(existsSync(folders[0] ?? '')).toBe(false);
});

test('data that were to be thrown away stay over a kill, and are gone after the stop', async () => {
  const { prepare, folders } = serversThatSay();
  const server = await openServer('server', { cacheDir }, prepare);
  const folder = folders[0] ?? '';
  await server.kill();
  expect(existsSync(folder)).toBe(true);
  await server.restart();
  await Promise.all([server.stop(), server.stop()]);
  expect(existsSync(folder)).toBe(false);
  await expect(server.restart()).rejects.toThrow('it has been stopped for good');
});
