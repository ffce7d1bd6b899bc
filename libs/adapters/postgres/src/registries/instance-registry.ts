import type { InstanceRegistry, InstanceReport, RegisteredInstance } from '@stratalog/ports';
import type { Database, Statement } from '../database/database';

const REPORT: Statement = {
  name: 'report-instance',
  text: `insert into app_instance (id, app, roles, address, host, pid, version, status, lag, seen)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now())
         on conflict (id) do update set status = excluded.status, lag = excluded.lag, seen = excluded.seen`,
};

/** A time more than an hour in the future also expires: the server's clock was set back since. */
const FORGET: Statement = {
  name: 'forget-instances',
  text: `delete from app_instance
          where id <> $1 and (app = $2 and host = $3 and address = $4
                              or seen not between now() - interval '1 hour' and now() + interval '1 hour')`,
};

const READ: Statement = {
  name: 'read-instances',
  text: `select id, app, roles, address, host, pid, version, status, lag,
                abs(extract(epoch from now() - seen)) * 1000 as seen_ms
           from app_instance order by app, id`,
};

interface InstanceRow extends InstanceReport {
  /** The driver returns numerics as text. */
  readonly seen_ms: string;
}

/** Stores one row per instance. All times are the server's, so that no instance's clock matters. */
export class PostgresInstanceRegistry implements InstanceRegistry {
  constructor(private readonly database: Database) {}

  async report(report: InstanceReport): Promise<readonly RegisteredInstance[]> {
    const { id, app, roles, address, host, pid, version, status, lag } = report;
    const rows = await this.database.use(async (client) => {
      const values = [id, app, roles, address, host, pid, version, status, JSON.stringify(lag)];
      await client.query({ ...REPORT, values });
      await client.query({ ...FORGET, values: [id, app, host, address] });
      const result = await client.query<InstanceRow>(READ);
      return result.rows;
    });
    return rows.map(({ seen_ms: seenMs, ...row }) => ({ ...row, seenMsAgo: Math.round(Number(seenMs)) }));
  }

  async leave(id: string): Promise<void> {
    await this.database.use((client) => client.query('delete from app_instance where id = $1', [id]));
  }
}
