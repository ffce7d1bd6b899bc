import type { Database } from '../database/database';

/** So many documents' tokens may wait before they are moved; a search reads the waiting ones one after the other. */
const MAX_WAITING = 500;
/** A writer that gets so far ahead of the moving waits for it. */
const MAX_AHEAD = 4_000;
/** After so long without a write the rest is moved too. */
const IDLE_MS = 500;

/**
 * Moves what was written from the token index's pending list into the index proper, beside the writes.
 *
 * Written straight into the index, the tokens of a document cost three times what they cost in a batch, because the documents of
 * a batch share most of them. A search finds tokens in either place. Should moving fail, PostgreSQL's own vacuum does it later.
 */
export class TokenUpkeep {
  private waiting = 0;
  private moving: Promise<void> | undefined;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly indexName: string,
  ) {}

  /** Counts documents just written. Resolves at once, or when the moving has caught up enough for the next write. */
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

  /** Resolves when nothing is being moved; what waits now stays. */
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
        // What was written meanwhile and is not followed by another write.
        void this.wrote(0);
      });
  }
}
