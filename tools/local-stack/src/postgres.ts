import { join, resolve } from 'node:path';
import { openEmbeddedServer, type EmbeddedServer } from '@stratalog/adapters-postgres';
import type { ServerOptions } from './running-server';
import { makeThrowAway, removeThrowAway, sweepThrowAways } from './throw-away';

export type PostgresOptions = Pick<ServerOptions, 'dataDir' | 'log'>;

const SETTINGS = { max_connections: '200' };
/** What is thrown away need not survive a power cut. Here only. */
const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

/** Starts the catalog's embedded PostgreSQL 18 on 127.0.0.1, with an empty database `stratalog`. */
export async function startPostgres({ dataDir, log }: PostgresOptions = {}): Promise<EmbeddedServer> {
  await sweepThrowAways();
  const logged = log === undefined ? {} : { log };
  if (dataDir !== undefined) {
    return openEmbeddedServer({
      dataDir: join(resolve(dataDir), 'postgresql'),
      settings: SETTINGS,
      ...logged,
    });
  }
  const folder = makeThrowAway();
  const settings = { ...SETTINGS, ...NOT_DURABLE };
  const server = await openEmbeddedServer({ dataDir: folder, settings, ...logged }).catch(
    (error: unknown) => {
      removeThrowAway(folder);
      throw error;
    },
  );
  const stop = async (): Promise<void> => {
    await server.stop();
    removeThrowAway(folder);
  };
  return { ...server, stop };
}
