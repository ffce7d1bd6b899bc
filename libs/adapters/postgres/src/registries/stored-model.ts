import type { StoredModel } from '@stratalog/ports';
import type { Database } from '../database/database';
import { StoreModelRow } from '../rows/store-model.row';

type Model = Parameters<StoredModel['write']>[0];

/** Stores the model that the last successful start used, in one row. */
export class PostgresStoredModel implements StoredModel {
  constructor(private readonly database: Database) {}

  read(): Promise<Model | undefined> {
    return this.database.use(
      async (_, rows) => (await rows.findOneBy(StoreModelRow, { onlyRow: true })) ?? undefined,
    );
  }

  async write({ fingerprint, shape }: Model): Promise<void> {
    const row = { onlyRow: true, fingerprint, shape };
    await this.database.use((_, rows) => rows.upsert(StoreModelRow, row, ['onlyRow']));
  }
}
