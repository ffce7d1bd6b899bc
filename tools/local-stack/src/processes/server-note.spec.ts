import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endLeftServer, noteServer } from './server-note';

let folder: string;
let server: ChildProcess;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), `stratalog-test-${process.pid}-note-`));
  server = spawn(process.execPath, ['--eval', 'setInterval(() => undefined, 1000)', folder], {
    detached: true,
  });
  await once(server, 'spawn');
  noteServer(folder, server.pid ?? 0);
});
afterEach(() => {
  server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const note = (): string => join(folder, 'server.json');

/** Simulates a killed owner: the note names a process that has ended. */
function loseOwner(): void {
  const gone = spawnSync(process.execPath, ['--version']).pid;
  const noted = JSON.parse(readFileSync(note(), 'utf8')) as object;
  writeFileSync(note(), JSON.stringify({ ...noted, owner: gone, ownerStart: 'before' }));
}

test('a folder in use is left as it is', async () => {
  await expect(endLeftServer(folder)).rejects.toThrow(`in use by process ${process.pid}`);
  expect(server.exitCode).toBeNull();
  expect(existsSync(note())).toBe(true);
});

test('the server of a killed owner is ended', async () => {
  loseOwner();
  const ended = once(server, 'exit');
  await endLeftServer(folder);
  expect(await ended).toEqual([null, 'SIGTERM']);
  expect(existsSync(note())).toBe(false);
});

test('a process that got the pid later is not touched', async () => {
  loseOwner();
  const noted = JSON.parse(readFileSync(note(), 'utf8')) as object;
  writeFileSync(note(), JSON.stringify({ ...noted, start: 'earlier' }));
  await endLeftServer(folder);
  expect(server.signalCode).toBeNull();
  expect(existsSync(note())).toBe(false);
});

test('an unreadable note says nothing', async () => {
  writeFileSync(note(), '{');
  await expect(endLeftServer(folder)).resolves.toBeUndefined();
});
