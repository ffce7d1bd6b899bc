import type { Database } from '../database/database';

/** Number of pending documents that triggers a move; a search reads pending tokens one after another. */
const MAX_WAITING = 500;
/** Number of pending documents from which on a writer waits for the move. */
const MAX_AHEAD = 4_000;
/** Time without a write after which the rest is moved too. */
const IDLE_MS = 500;

/**
 * Moves tokens from the token index's pending list into the index proper, concurrently with writes.
 *
 * Direct inserts into the index cost three times as much as a batch, because the documents of a batch share most
 * tokens. A search reads both places. If a move fails, PostgreSQL's vacuum does it later.
 */
export class TokenUpkeep {
  private waiting = 0;
  private before: string | undefined;
  private moving: Promise<void> | undefined;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly indexName: string,
  ) {}

  /**
   * The transaction before which the tokens of every document are in the index proper; `undefined` before the first move of
   * this process. The tokens of later documents may be moving now.
   *
   * **Units**: a transaction id in the form of type `xid`.
   */
  get movedBefore(): string | undefined {
    return this.before;
  }

  /** Counts written documents. Resolves at once, or after the current move when the writer is too far ahead. */
  async wrote(documents: number): Promise<void> {
    this.waiting += documents;
    clearTimeout(this.idle);
    if (this.waiting >= MAX_WAITING) this.move();
    else
      this.idle = setTimeout(() => {
        if (this.waiting > 0) this.move();
      }, IDLE_MS).unref();
    if (this.waiting >= MAX_AHEAD) await this.moving;
  }

  /** Resolves when no move is running; pending documents stay. */
  async settled(): Promise<void> {
    clearTimeout(this.idle);
    await this.moving;
    clearTimeout(this.idle);
  }

  /** Starts a move unless one is running. */
  move(): void {
    if (this.moving !== undefined) return;
    this.waiting = 0;
    this.moving = this.moveAll()
      .catch(() => undefined)
      .finally(() => {
        this.moving = undefined;
        // Schedules a move for documents written during this one, in case no other write follows.
        void this.wrote(0);
      });
  }

  private async moveAll(): Promise<void> {
    this.before = await this.database.use(async (client) => {
      const oldest = 'select pg_snapshot_xmin(pg_current_snapshot())::xid::text as xid';
      const { rows } = await client.query<{ readonly xid: string }>(oldest);
      await client.query('select gin_clean_pending_list($1::regclass)', [this.indexName]);
      return rows[0]?.xid;
    });
  }
}
