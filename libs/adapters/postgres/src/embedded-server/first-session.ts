import { setTimeout as pause } from 'node:timers/promises';
import { Client, escapeIdentifier } from 'pg';

/** Prepares a server before other sessions use it. */

const NO_SUCH_DATABASE = '3D000';

/** Creates the database if it is missing, and proves that the password opens it. */
export async function ensureDatabase(urlOf: (database: string) => string, database: string): Promise<void> {
  try {
    await withClient(urlOf(database), (client) => client.query('select 1'));
  } catch (error) {
    if ((error as { code?: unknown }).code !== NO_SUCH_DATABASE) throw error;
    await withClient(urlOf('postgres'), (client) =>
      client.query(`create database ${escapeIdentifier(database)}`),
    );
  }
}

/**
 * Terminates the sessions of a killed owner and waits until they have ended. Their locks and unfinished transactions
 * must not affect the new owner.
 */
export async function cutOtherSessions(url: string): Promise<void> {
  await withClient(url, async (client) => {
    for (let attempt = 0; attempt < 500; attempt += 1) {
      const { rowCount } = await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
      if (rowCount === 0) return;
      await pause(20);
    }
    throw new Error('sessions of a former owner do not end');
  });
}

async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // The query that a broken connection fails reports the failure.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
