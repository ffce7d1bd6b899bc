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
  private moving: Promise<void> | undefined;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly indexName: string,
  ) {}

  /** Counts written documents. Resolves at once, or after the current move when the writer is too far ahead. */
  async wrote(documents: number): Promise<void> {
    this.waiting += documents;
    clearTimeout(this.idle);
    if (this.waiting >= MAX_WAITING) this.move();
    else
      this.idle = setTimeout(() => {
        this.move();
      }, IDLE_MS).unref();
    if (this.waiting >= MAX_AHEAD) await this.moving;
  }

  /** Resolves when no move is running; pending documents stay. */
  async settled(): Promise<void> {
    clearTimeout(this.idle);
    await this.moving;
    clearTimeout(this.idle);
  }

  private move(): void {
    if (this.waiting === 0 || this.moving !== undefined) return;
    this.waiting = 0;
    this.moving = this.database
      .use((client) => client.query('select gin_clean_pending_list($1::regclass)', [this.indexName]))
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        this.moving = undefined;
        // Schedules a move for documents written during this one, in case no other write follows.
        void this.wrote(0);
      });
  }
}
