import { startLocalStack, type Addresses } from '@stratalog/local-stack';
import { Database } from '@stratalog/adapters-postgres';
import type { BenchRun } from '../processes/bench-run';
import type { Report } from '../report/report';

/**
 * Starts the servers of a distributed catalog, or uses those of the environment, and reports their versions.
 */
export async function startServers(run: BenchRun, report: Report): Promise<Addresses> {
  const stack = await startLocalStack({
    given: process.env,
    isLongLived: true,
    inDocker: false,
    dataDir: run.newDataDir('servers'),
  });
  run.owns(stack);
  const database = await Database.open({ url: stack.addresses.DATABASE_URL, poolSize: 1 });
  try {
    const { rows } = await database.use((client) =>
      client.query<{ name: string; setting: string }>(
        `select name, setting from pg_settings
          where name in ('server_version', 'fsync', 'full_page_writes', 'synchronous_commit')`,
      ),
    );
    const setting = new Map(rows.map(({ name, setting: value }) => [name, value]));
    const durable = ['fsync', 'full_page_writes', 'synchronous_commit'];
    const careless = durable.filter((name) => setting.get(name) !== 'on');
    if (careless.length > 0 && process.env.DATABASE_URL === undefined)
      throw new Error(`The server runs without ${careless.join(', ')}`);
    report.runsOn({
      postgres: setting.get('server_version') ?? 'unknown',
      durability: durable.map((name) => `${name}=${setting.get(name) ?? '?'}`).join(' '),
    });
  } finally {
    await database.close();
  }
  return stack.addresses;
}
