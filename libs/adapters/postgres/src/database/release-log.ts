import type { PoolClient } from 'pg';

/** PostgreSQL's code for a disk without room for a table or an index. */
const DISK_FULL = '53100';
/** Shortest time between two checkpoints: each writes everything that is not on disk yet. */
const INTERVAL_MS = 5_000;

/**
 * Has the server make a checkpoint after a statement found the disk full, so that it reuses the files of its log instead of adding new ones.
 * Otherwise the log grows up to `max_wal_size`, which may be more than the disk has.
 */
export class LogRelease {
  private dueMs = 0;

  /** Never rejects: without the privilege (`pg_checkpoint`) or room the server makes its next checkpoint when it can. */
  async afterFailure(error: unknown, client: PoolClient): Promise<void> {
    const { code } = (error ?? {}) as { readonly code?: unknown };
    if (code !== DISK_FULL || performance.now() < this.dueMs) return;
    this.dueMs = performance.now() + INTERVAL_MS;
    await client.query('checkpoint').catch(() => undefined);
  }
}
