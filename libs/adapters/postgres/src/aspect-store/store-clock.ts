import type { Database, Statement } from '../database/database';

const READ: Statement = {
  name: 'read-store-clock',
  text: `select (extract(epoch from clock_timestamp()) * 1000)::bigint as server_ms,
                (select coalesce(max(stamp_ms), 0) from store_partition) as stamp_ms,
                (select coalesce(max(seen_ms), 0) from store_clock) as seen_ms`,
};

const SEEN: Statement = {
  name: 'store-clock-seen',
  text: `insert into store_clock (seen_ms) values ($1) on conflict (only_row) do update set seen_ms = excluded.seen_ms`,
};

/** Lists every column that holds a stamp of the catalog. Times that producers send stay unchanged. */
const STAMPS: Readonly<Record<string, readonly string[]>> = {
  change: ['created_ms'],
  aspect_latest: ['created_ms', 'aspect_created_ms', 'run_ms'],
  aspect_truncation: ['truncated_ms'],
  dead_letter: ['rejected_ms', 'replayed_ms', 'last_ms', 'logged_ms', 'discarded_ms'],
  search_index_version: ['retired_ms'],
  graph_index_version: ['retired_ms'],
  retention_pass: ['finished_ms'],
  store_clock: ['seen_ms'],
  store_partition: ['stamp_ms'],
};

/** Reads and corrects the times that the store holds. */
export class PostgresStoreClock {
  constructor(private readonly database: Database) {}

  /** Reads the server's time, the store's last stamp and the last call of `seen`; 0 for never. Epoch ms. */
  async read(): Promise<{
    readonly serverMs: number;
    readonly lastStampMs: number;
    readonly lastSeenMs: number;
  }> {
    const { rows } = await this.database.use((client) =>
      client.query<{ server_ms: number; stamp_ms: number; seen_ms: number }>(READ),
    );
    const [row] = rows;
    return {
      serverMs: row?.server_ms ?? 0,
      lastStampMs: row?.stamp_ms ?? 0,
      lastSeenMs: row?.seen_ms ?? 0,
    };
  }

  async seen(nowMs: number): Promise<void> {
    await this.database.use((client) => client.query({ ...SEEN, values: [nowMs] }));
  }

  /**
   * Lowers every stamp after `nowMs` to `nowMs`, under the locks of all partitions; order and version numbers stay.
   * Returns the number of changed changes.
   *
   * **Order and repeats**: all or nothing; a second call changes nothing. It reads the whole history without a time
   * limit.
   */
  correct(nowMs: number): Promise<number> {
    return this.database.transaction(async (client) => {
      await client.query('set local statement_timeout = 0');
      await client.query('select from log_partition order by partition for update');
      await client.query('select from store_partition order by partition for update');
      let corrected = 0;
      for (const [table, columns] of Object.entries(STAMPS)) {
        const { rowCount } = await client.query(
          `update ${table} set ${columns.map((column) => `${column} = least(${column}, $1)`).join(', ')}
            where ${columns.map((column) => `${column} > $1`).join(' or ')}`,
          [nowMs],
        );
        if (table === 'change') corrected = rowCount ?? 0;
      }
      return corrected;
    });
  }
}
