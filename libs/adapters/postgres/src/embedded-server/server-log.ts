import {
  copyFileSync,
  openSync,
  closeSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';

const MAX_BYTES = 10 * 1024 * 1024;
const CHECK_MS = 60_000;

/** The server's log file. Beyond 10 MB its content moves to a file with the suffix `.1`, which is kept once. */
export interface ServerLog {
  /** Current size of the file in bytes. */
  end(): number;
  /** The last lines that were written after `from`. */
  tail(from: number): string;
  close(): void;
}

export function openServerLog(path: string): ServerLog {
  if (measureSize(path) > MAX_BYTES) renameSync(path, `${path}.1`);
  // The server appends to this file and cannot open another, so the file is copied and then truncated.
  const timer = setInterval(() => {
    if (measureSize(path) > MAX_BYTES) rotate(path);
  }, CHECK_MS);
  timer.unref();
  return {
    end: () => measureSize(path),
    tail: (from) => readAfter(path, from),
    close: () => {
      clearInterval(timer);
    },
  };
}

/** On a full disk the copy fails; the next check tries again. */
function rotate(path: string): void {
  try {
    copyFileSync(path, `${path}.1`);
    truncateSync(path, 0);
  } catch {
    rmSync(`${path}.1`, { force: true });
  }
}

function measureSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function readAfter(path: string, from: number): string {
  const size = measureSize(path);
  const start = Math.max(from > size ? 0 : from, size - 4096);
  if (size === 0) return '';
  const buffer = Buffer.alloc(size - start);
  const file = openSync(path, 'r');
  readSync(file, buffer, 0, buffer.length, start);
  closeSync(file);
  return buffer.toString('utf8').trim();
}
