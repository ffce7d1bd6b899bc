import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { UnavailableError } from '@stratalog/domain';

const MEGABYTE = 1024 * 1024;
/** A checkpoint, a new file of the log, and what one write of an index takes with its log. */
const LEAST = 96;
const CHECK_EVERY_MS = 100;

/**
 * Watches the room on the disk of a server that this process runs. Without room for its log the server gives up, and needs more room to
 * recover than it had; so nothing is written as long as there is little.
 */
export class DiskRoom {
  private readonly folders: readonly string[];
  private checkedAt = Number.NEGATIVE_INFINITY;
  private fault: string | undefined;

  constructor(
    clusterDir: string,
    private readonly now = (): number => performance.now(),
  ) {
    // The log may lie on a disk of its own.
    this.folders = [clusterDir, join(clusterDir, 'pg_wal')];
  }

  /** **Errors**: `UnavailableError` while there is too little. */
  require(): void {
    const now = this.now();
    if (now - this.checkedAt >= CHECK_EVERY_MS) {
      this.checkedAt = now;
      this.fault = this.findFault();
    }
    if (this.fault !== undefined) throw new UnavailableError(this.fault);
  }

  private findFault(): string | undefined {
    for (const folder of this.folders) {
      const { bavail, bsize } = statfsSync(folder);
      const left = Math.floor((bavail * bsize) / MEGABYTE);
      if (left < LEAST)
        return `The disk of PostgreSQL has ${String(left)} MB left, and writes need ${String(LEAST)} MB; make room on it`;
    }
    return undefined;
  }
}
