import { readdirSync, statSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEGABYTE = 1024 * 1024;
/** Rare checkpoints write fewer full pages; a restart after a crash replays at most this much. */
const MOST = 1024;
/** Four files of the log: a checkpoint fills one while it writes out what the others tell. */
const LEAST = 64;
/** The rest of the disk is for data. */
const SHARE = 1 / 8;

/**
 * Returns how much log the server may keep between two checkpoints: a share of the room that its disk has now. With more, the log alone could
 * fill a small disk, and a server that cannot write its log gives up.
 *
 * **Units**: megabytes, for `max_wal_size`.
 */
export function chooseLogLimit(clusterDir: string): number {
  const dir = join(clusterDir, 'pg_wal');
  const { bavail, bsize } = statfsSync(dir);
  const files = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isFile());
  const sizes = files.map(({ name }) => statSync(join(dir, name), { throwIfNoEntry: false })?.size ?? 0);
  return logLimitWithin((bavail * bsize + sizes.reduce((sum, size) => sum + size, 0)) / MEGABYTE);
}

/** **Units**: megabytes. */
export function logLimitWithin(room: number): number {
  return Math.min(MOST, Math.max(LEAST, Math.floor(room * SHARE)));
}
