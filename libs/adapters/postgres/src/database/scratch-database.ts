import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** A database that exists for one suite or one measurement. */
export interface ScratchDatabase {
  readonly url: string;
  /** Opens a session alongside those of the tested code, to hold a lock or to inspect running statements. */
  session(): Promise<ScratchSession>;
  drop(): Promise<void>;
}

export interface ScratchSession {
  query(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  end(): Promise<void>;
}

/** Creates an empty database on the server of `serverUrl`. */
export async function createScratchDatabase(serverUrl: string): Promise<ScratchDatabase> {
  const name = `scratch_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    session: () => sessionOn(url.href),
    drop: () => onServer(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

async function sessionOn(url: string): Promise<ScratchSession> {
  const client = new pg.Client({ connectionString: url });
  // When the server ends the session, the statement under way reports it.
  client.on('error', () => undefined);
  await client.connect();
  return {
    query: async (statement) => (await client.query<Record<string, unknown>>(statement)).rows,
    end: () => client.end(),
  };
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
