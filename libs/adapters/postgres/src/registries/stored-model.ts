import type { StoredModel } from '@stratalog/ports';
import type { Database } from '../database/database';

/** Stores the model that the last successful start used, in one row. */
export class PostgresStoredModel implements StoredModel {
  constructor(private readonly database: Database) {}

  async read(): Promise<{ readonly fingerprint: string; readonly shape: string } | undefined> {
    const { rows } = await this.database.use((client) =>
      client.query<{ fingerprint: string; shape: string }>('select fingerprint, shape from store_model'),
    );
    return rows[0];
  }

  async write({
    fingerprint,
    shape,
  }: {
    readonly fingerprint: string;
    readonly shape: string;
  }): Promise<void> {
    await this.database.use((client) =>
      client.query(
        `insert into store_model (fingerprint, shape) values ($1, $2)
         on conflict (only_row) do update set fingerprint = excluded.fingerprint, shape = excluded.shape`,
        [fingerprint, shape],
      ),
    );
  }
}
