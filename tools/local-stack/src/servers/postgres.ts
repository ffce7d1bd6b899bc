import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openEmbeddedServer, type EmbeddedServer } from '@stratalog/adapters-postgres';
import type { RunningServer, ServerOptions } from '../processes/running-server';
import { portsOf } from '../processes/free-ports';
import { NOT_DURABLE, SETTINGS } from './postgres-settings';
import { makeThrowAway, removeThrowAway, deleteThrowAways } from '../processes/throw-away';

export type PostgresOptions = Pick<ServerOptions, 'dataDir' | 'log'>;

export type RunningPostgres = Omit<RunningServer, 'kill'> & Pick<EmbeddedServer, 'url'>;

/** Starts the catalog's embedded PostgreSQL 18 on 127.0.0.1, with an empty database `stratalog`. */
export async function startPostgres({ dataDir, log }: PostgresOptions = {}): Promise<RunningPostgres> {
  await deleteThrowAways();
  const folder = dataDir === undefined ? makeThrowAway() : join(resolve(dataDir), 'postgresql');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const discard = (): void => {
    if (dataDir === undefined) removeThrowAway(folder);
  };
  const [port = 0] = await portsOf(folder, 1);
  const settings = dataDir === undefined ? { ...SETTINGS, ...NOT_DURABLE } : SETTINGS;
  const logged = log === undefined ? {} : { log };
  const open = (): Promise<EmbeddedServer> =>
    openEmbeddedServer({ dataDir: folder, settings, port, ...logged });
  try {
    return supervised(await open(), open, discard);
  } catch (error) {
    discard();
    throw error;
  }
}

function supervised(
  first: EmbeddedServer,
  open: () => Promise<EmbeddedServer>,
  discard: () => void,
): RunningPostgres {
  let current = first;
  const listeners: ((reason: string) => void)[] = [];
  const watch = (): void => {
    current.onExit((reason) => {
      for (const listener of listeners) listener(reason);
    });
  };
  watch();
  return {
    url: first.url,
    get pid() {
      return current.pid;
    },
    stop: async () => {
      await current.stop();
      discard();
    },
    restart: async () => {
      await current.stop();
      current = await open();
      watch();
    },
    onExit: (listener) => {
      listeners.push(listener);
    },
  };
}
