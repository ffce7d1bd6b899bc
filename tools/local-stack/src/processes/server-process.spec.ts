import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@stratalog/testkit';
import { startOf } from '../../../bootstrap/workspace/only-one.mjs';
import { startProcess, type ServerCommand } from './server-process';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), `stratalog-test-${process.pid}-process-`));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const onSpawned = (): void => undefined;

function serverThat(does: string): ServerCommand {
  const args = ['--input-type=module', '--eval', `import fs from 'node:fs'; ${does}`];
  return {
    name: 'The server',
    command: process.execPath,
    args,
    logFile: join(folder, 'log'),
    ready: /listens on (\d+)/,
  };
}

test('is ready when it says so, and stops in order', async () => {
  const gone = JSON.stringify(join(folder, 'in-order'));
  const server = await startProcess(
    serverThat(`
      process.on('SIGTERM', () => { fs.writeFileSync(${gone}, ''); process.exit(3); });
      console.error('listens on 1234');
      setInterval(() => undefined, 1000);
    `),
    { onSpawned },
  );
  expect(server.ready[1]).toBe('1234');
  await server.stop();
  expect(await server.ended).toBe('exit code 3');
  expect(existsSync(join(folder, 'in-order'))).toBe(true);
  await Promise.all([server.stop(), server.kill()]);
});

test('a kill also ends what it has started', async () => {
  const server = await startProcess(
    serverThat(`
      const { spawn } = await import('node:child_process');
      const child = spawn(process.execPath, ['--eval', 'setInterval(() => undefined, 1000)']);
      console.log('listens on ' + child.pid);
    `),
    { onSpawned },
  );
  const child = Number(server.ready[1]);
  expect(startOf(child)).toBeDefined();
  await server.kill();
  expect(await server.ended).toBe('signal SIGKILL');
  await until(() => startOf(child) === undefined);
});

test('one that does not start says why', async () => {
  const ends = startProcess(serverThat(`console.error('the disk is full'); process.exit(7);`), { onSpawned });
  await expect(ends).rejects.toThrow('The server did not start (exit code 7). It said: the disk is full');
  const absent = startProcess({ ...serverThat(''), command: join(folder, 'absent') }, { onSpawned });
  await expect(absent).rejects.toThrow('The server did not start');
});

test('a start is given up, and leaves no process', async () => {
  const interrupt = new AbortController();
  let pid = 0;
  const started = startProcess(serverThat('setInterval(() => undefined, 1000)'), {
    onSpawned: (spawned) => {
      pid = spawned;
      interrupt.abort(new Error('enough'));
    },
    signal: interrupt.signal,
  });
  await expect(started).rejects.toThrow('enough');
  expect(startOf(pid)).toBeUndefined();
});
