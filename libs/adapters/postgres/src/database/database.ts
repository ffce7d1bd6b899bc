import pg from 'pg';
import type { PoolClient, TypeOverrides } from 'pg';
import { Semaphore, currentCaller, withinLimits } from '@stratalog/ports';
import { DataSource } from 'typeorm';
import { cancelOnAbort } from './cancel-on-abort';
import { computeShares, type Share } from './connection-shares';
import { migrate } from './migrate';
import { translateError } from './translate-error';

export interface DatabaseSettings {
  readonly url: string;
  /** Connections at most. */
  readonly poolSize: number;
  /** Called when an idle connection breaks; the pool replaces it. */
  readonly onIdleError?: (error: Error) => void;
}

/** A statement that the server prepares once per connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

const CONNECT_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2_000;
/**
 * No statement of ours takes so long but in trouble; then whoever waits is answered, and the connection is free again. Longer than any
 * question of a request may take: those are cancelled by us.
 */
const STATEMENT_TIMEOUT_MS = 60_000;
/** A cancelled statement ends within milliseconds. */
const CANCEL_TIMEOUT_MS = 2_000;
/**
 * A process that sleeps in the middle of a transaction, or whose machine is gone, would keep its locks for as long, and whoever takes its
 * work over would wait with it. The server ends its session instead; should it wake, its next statement fails as on a broken connection.
 */
const IDLE_IN_TRANSACTION_MS = 5_000;

/**
 * The connections to one PostgreSQL database. TypeORM owns the pool and the migrations; statements run on its
 * connections as plain SQL, because a batch statement or a hot prepared one has no shape that an entity mapper knows.
 */
export class Database {
  private readonly shares: Readonly<Record<Share, Semaphore>>;

  private constructor(
    private readonly source: DataSource,
    poolSize: number,
  ) {
    const { work, reads, searches } = computeShares(poolSize);
    this.shares = {
      work: new Semaphore(work),
      reads: new Semaphore(reads),
      searches: new Semaphore(searches),
    };
  }

  /**
   * Connects and brings the schema up to date.
   *
   * **Errors**: `UnavailableError` when the server does not answer.
   */
  static async open(settings: DatabaseSettings): Promise<Database> {
    const source = new DataSource({
      type: 'postgres',
      url: settings.url,
      applicationName: 'stratalog',
      connectTimeoutMS: CONNECT_TIMEOUT_MS,
      poolErrorHandler: (error: Error) => settings.onIdleError?.(error),
      // Statements that do not wait for each other's answers travel together.
      extra: {
        max: settings.poolSize,
        types: typesOf(),
        pipeline: true,
        statement_timeout: STATEMENT_TIMEOUT_MS,
        idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      },
      logging: false,
    });
    try {
      await migrate(settings.url, CONNECT_TIMEOUT_MS);
      await source.initialize();
    } catch (error) {
      throw translateError(error);
    }
    return new Database(source, settings.poolSize);
  }

  /**
   * Runs `work` on one connection: what is written, and what the process does of itself. Driver errors come out translated.
   *
   * **Errors**: `UnavailableError` when no connection gets free in time.
   */
  async use<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    try {
      return await this.shares.work.run(() => this.connected(work), AbortSignal.timeout(CONNECT_TIMEOUT_MS));
    } catch (error) {
      throw translateError(error);
    }
  }

  /**
   * Runs a read that an index answers in a few milliseconds, for the current caller if there is one: within its limits, and on the
   * connections for reads.
   *
   * **Errors**: those of `withinLimits` and of `use`.
   */
  read<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    return this.ask('reads', work);
  }

  /** The same for a read that may look at any number of rows; those that writes need do not wait behind others. */
  search<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    return this.ask(currentCaller()?.writes === true ? 'reads' : 'searches', work);
  }

  /** Runs `work` in a transaction at READ COMMITTED; an error rolls it back. */
  transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    return this.use(async (client) => {
      await client.query('begin');
      const result = await work(client);
      await client.query('commit');
      return result;
    });
  }

  /** Resolves when the connections are closed: a server that is stopped then has none to break. */
  async close(): Promise<void> {
    const { master } = this.source.driver as unknown as { readonly master: pg.Pool };
    const closed = connectionsClosed(master);
    await this.source.destroy();
    await closed;
  }

  /**
   * When a limit is passed, the statement is cancelled, and whoever waits is answered once it has ended. A server that stands still ends none: then
   * the answer does not wait, and the connection is taken until it breaks or the server goes on.
   */
  private ask<T>(share: Exclude<Share, 'work'>, work: (client: PoolClient) => Promise<T>): Promise<T> {
    if (currentCaller() === undefined) return this.use(work);
    return withinLimits((signal) =>
      unlessItStandsStill(
        this.shares[share].run(
          () => this.connected((client) => cancelOnAbort(this, client, signal, () => work(client))),
          signal,
        ),
        signal,
      ),
    );
  }

  private async connected<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const runner = this.source.createQueryRunner();
    try {
      const client = (await runner.connect()) as PoolClient;
      return await work(client).catch(async (error: unknown) => {
        await leaveTransaction(client);
        throw error;
      });
    } catch (error) {
      throw translateError(error);
    } finally {
      await runner.release();
    }
  }
}

/** What `asked` gives; soon after `signal` has aborted its reason, whatever `asked` does then. */
function unlessItStandsStill<T>(asked: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return asked;
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const leave = (): void => {
      timer = setTimeout(() => {
        reject(signal.reason as Error);
      }, CANCEL_TIMEOUT_MS);
    };
    signal.addEventListener('abort', leave, { once: true });
    void asked.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', leave);
      clearTimeout(timer);
    });
  });
}

/**
 * What fails may leave a transaction open, also when it had sent its end: a `commit` that is cancelled ends none. Whoever gets the connection
 * next must not find it. Outside a transaction nothing happens; a broken connection cannot roll back, and the server does so when it notices.
 */
async function leaveTransaction(client: PoolClient): Promise<void> {
  await client.query('rollback').catch(() => undefined);
}

/** Resolves when the connections that a pool has now are closed; at last after a while, as a server that is gone closes none. */
function connectionsClosed(pool: pg.Pool): Promise<void> {
  let left = pool.totalCount;
  // The pool takes connections for closed that it has only said goodbye to.
  return new Promise((resolve) => {
    if (left === 0) {
      resolve();
      return;
    }
    const limit = setTimeout(resolve, CLOSE_TIMEOUT_MS);
    pool.on('remove', () => {
      left -= 1;
      if (left > 0) return;
      clearTimeout(limit);
      resolve();
    });
  });
}

/** 64-bit integers of ours (sequence numbers, milliseconds) stay far below 2^53. */
function typesOf(): TypeOverrides {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  return types;
}
