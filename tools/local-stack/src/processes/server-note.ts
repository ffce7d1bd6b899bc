import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until, waitFor } from '@stratalog/harness';
import { startOf } from '../../../bootstrap/workspace/only-one.mjs';

/**
 * A file next to the data that names the process serving it and its owner. After a `kill -9` of the owner the
 * next start uses it to end the server. A pid alone proves nothing, because the kernel reuses it: only a
 * process that proves to be the noted one is ever signalled.
 */
interface ServerNote {
  readonly pid: number;
  readonly start: string | undefined;
  readonly owner: number;
  readonly ownerStart: string | undefined;
}

const FILE = 'server.json';
const STOP_LIMIT_MS = 20_000;
const POLL_MS = 50;

export function noteServer(folder: string, pid: number): void {
  const note: ServerNote = { pid, start: startOf(pid), owner: process.pid, ownerStart: startOf(process.pid) };
  writeFileSync(join(folder, FILE), JSON.stringify(note));
}

export function forgetServer(folder: string): void {
  rmSync(join(folder, FILE), { force: true });
}

/**
 * Ends the server that a killed process has left running in a folder.
 *
 * **Errors**: rejects when its owner lives: then the folder is in use.
 */
export async function endLeftServer(folder: string): Promise<void> {
  const note = readNote(folder);
  if (note === undefined) return;
  if (isNoted(note, folder)) {
    if (startOf(note.owner) === note.ownerStart) {
      throw new Error(
        `${folder} is in use by process ${note.owner}. Stop that process or choose another folder.`,
      );
    }
    await end(note, folder);
  }
  forgetServer(folder);
}

async function end(note: ServerNote, folder: string): Promise<void> {
  const isGone = (): boolean => !isNoted(note, folder);
  process.kill(note.pid, 'SIGTERM');
  if (await until(isGone, { limitMs: STOP_LIMIT_MS, pollMs: POLL_MS })) return;
  process.kill(-note.pid, 'SIGKILL');
  await waitFor(isGone, { what: `the end of server ${note.pid}`, limitMs: STOP_LIMIT_MS, pollMs: POLL_MS });
}

function isNoted({ pid, start }: ServerNote, folder: string): boolean {
  if (start === undefined || startOf(pid) !== start) return false;
  return process.platform === 'linux' || commandOf(pid).includes(folder);
}

function commandOf(pid: number): string {
  try {
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

function readNote(folder: string): ServerNote | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as ServerNote;
  } catch {
    return undefined;
  }
}
