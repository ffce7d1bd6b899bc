import type { InstanceRegistry, InstanceReport, RegisteredInstance } from '@stratalog/ports';
import type { Database } from '../database/database';
import { AppInstanceRow } from '../rows/app-instance.row';

/** A time more than an hour in the future also expires: the server's clock was set back since. */
const EXPIRED = `id <> :id and (app = :app and host = :host and address = :address
  or seen not between now() - interval '1 hour' and now() + interval '1 hour')`;

/** Stores one row per instance. All times are the server's, so that no instance's clock matters. */
export class PostgresInstanceRegistry implements InstanceRegistry {
  constructor(private readonly database: Database) {}

  report(report: InstanceReport): Promise<readonly RegisteredInstance[]> {
    return this.database.use(async (_, rows) => {
      await rows.upsert(AppInstanceRow, { ...report, seen: () => 'now()' }, ['id']);
      await rows.createQueryBuilder().delete().from(AppInstanceRow).where(EXPIRED, report).execute();
      return rows.find(AppInstanceRow, { order: { app: 'asc', id: 'asc' } });
    });
  }

  async leave(id: string): Promise<void> {
    await this.database.use((_, rows) => rows.delete(AppInstanceRow, { id }));
  }
}
