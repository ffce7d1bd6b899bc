import { UnavailableError } from '@stratalog/domain';
import type { StoreEpoch, StoreIdentity } from '@stratalog/ports';
import type { Database, Statement } from '../database/database';

interface IdentityRow {
  readonly store_id: string;
  readonly epoch: number;
  readonly partitions: number;
}

const READ: Statement = {
  name: 'read-identity',
  text: 'select store_id, epoch, partitions from store_identity',
};

const RAISE: Statement = {
  name: 'raise-epoch',
  text: 'update store_identity set epoch = epoch + 1 returning store_id, epoch, partitions',
};

/**
 * Takes the leases from their owners, so that none publishes under the former epoch from here on. What a consumer has not read yet is
 * published again: readers know no record of a former epoch.
 */
const RESTART_PUBLISHING: Statement = {
  name: 'restart-publishing',
  text: `update relay_lease l
            set owner = '', until = '-infinity', epoch = l.epoch + 1,
                published = least(l.published, (select min(c.seq) from consumer_checkpoint c where c.partition = l.partition))`,
};

/** The identity of the store, which changes when an operator says that it was restored. */
export class PostgresStoreEpoch implements StoreEpoch {
  constructor(
    private readonly database: Database,
    private readonly onIdentity: (identity: StoreIdentity) => void,
  ) {}

  async raise(): Promise<StoreIdentity> {
    const row = await this.database.transaction(async (client) => {
      const { rows } = await client.query<IdentityRow>(RAISE);
      await client.query(RESTART_PUBLISHING);
      return rows[0];
    });
    return this.remember(row);
  }

  async follow(): Promise<void> {
    const { rows } = await this.database.use((client) => client.query<IdentityRow>(READ));
    this.remember(rows[0]);
  }

  private remember(row: IdentityRow | undefined): StoreIdentity {
    if (row === undefined) throw new UnavailableError('The store has no identity');
    const identity = { storeId: row.store_id, epoch: row.epoch, partitions: row.partitions };
    this.onIdentity(identity);
    return identity;
  }
}
