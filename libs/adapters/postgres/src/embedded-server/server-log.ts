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

/** The server's own log file; what goes over 10 MB is kept once, in a file with `.1` at its end. */
export interface ServerLog {
  /** Where the file ends now. */
  end(): number;
  /** The last lines that were written after `from`. */
  tail(from: number): string;
  close(): void;
}

export function openServerLog(path: string): ServerLog {
  if (measureSize(path) > MAX_BYTES) renameSync(path, `${path}.1`);
  // The server appends to this very file and cannot be told to open another: it is copied, then emptied.
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

/** A full disk has no room for the copy; then it is tried again later. */
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
