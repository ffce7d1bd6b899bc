import { Database } from '@stratalog/adapters-postgres';
import { waitFor } from '@stratalog/harness';

const LOOK_MS = 10;
/** Far above the time of any run. */
const LIMIT_MS = 3_600_000;

/**
 * Reads a catalog's progress in its log from the store's own tables, independent of the catalog's reports.
 */
export class AppliedProposals {
  private constructor(private readonly database: Database) {}

  static async open(databaseUrl: string): Promise<AppliedProposals> {
    return new AppliedProposals(await Database.open({ url: databaseUrl, poolSize: 1 }));
  }

  /** The number of processed records, of all partitions. */
  count(): Promise<number> {
    return this.number('select coalesce(sum(committed_offset), 0)::float8 as number from log_partition');
  }

  /** Resolves when the number is reached. **Errors**: rejects after an hour. */
  async until(wanted: number): Promise<void> {
    await waitFor(async () => (await this.count()) >= wanted, {
      what: `${String(wanted)} applied proposals`,
      limitMs: LIMIT_MS,
      pollMs: LOOK_MS,
    });
  }

  /**
   * **Errors**: an `Error` when a proposal was rejected, because the figures would not measure complete
   * writes.
   */
  async expectNoneRejected(): Promise<void> {
    const rejected = await this.number('select count(*)::float8 as number from dead_letter');
    if (rejected > 0) throw new Error(`${String(rejected)} proposals were rejected`);
  }

  close(): Promise<void> {
    return this.database.close();
  }

  private number(statement: string): Promise<number> {
    return this.database.use(async (client) => {
      const { rows } = await client.query<{ number: number }>(statement);
      return rows[0]?.number ?? 0;
    });
  }
}
