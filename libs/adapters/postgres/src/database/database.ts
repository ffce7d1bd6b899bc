import pg from 'pg';
import type { PoolClient, TypeOverrides } from 'pg';
import { Semaphore, currentCaller, withinLimits } from '@stratalog/concurrency';
import { DataSource, type EntityManager } from 'typeorm';
import { PostgresNames, ROWS } from '../rows/rows';
import { cancelOnAbort } from './cancel-on-abort';
import { computeShares, type Share } from './connection-shares';
import { migrate } from './migrate';
import { translateError } from './translate-error';

export interface DatabaseSettings {
  readonly url: string;
  /** Maximum number of connections. */
  readonly poolSize: number;
  /** Throws while the disk of the server has too little room for writes. */
  readonly requireRoom?: (() => void) | undefined;
  /** Called when an idle connection breaks; the pool replaces it. */
  readonly onIdleError?: (error: Error) => void;
}

/** How one share of the connections is used. */
export interface ConnectionUse {
  readonly share: string;
  readonly running: number;
  readonly waiting: number;
  readonly size: number;
}

/** A statement that the server prepares once per connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Works on one connection: by statements on `client`, or by the mapped rows of small tables. */
type Work<T> = (client: PoolClient, rows: EntityManager) => Promise<T>;

const CONNECT_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2_000;
/**
 * Server-side limit for every statement. A statement of the catalog takes this long only in trouble: then the caller
 * gets an answer and the connection is free again. The limit exceeds that of a request's query, which the catalog
 * cancels itself.
 */
const STATEMENT_TIMEOUT_MS = 60_000;
const CHECK_VALID_MS = 1_000;
/** Maximum wait for a cancelled statement to end; normally it ends within milliseconds. */
const CANCEL_TIMEOUT_MS = 2_000;
/**
 * Server-side limit for an idle transaction. A stopped process or a lost machine would otherwise keep its locks and
 * block its successor. The server ends the session; if the process wakes up, its next statement fails as on a broken
 * connection.
 */
const IDLE_IN_TRANSACTION_MS = 5_000;

/**
 * Owns the connections to one PostgreSQL database.
 *
 * TypeORM manages the pool, the migrations and the rows of small tables. All other statements are plain SQL, because an
 * entity mapper cannot express batch statements and prepared ones.
 */
export class Database {
  private readonly shares: Readonly<Record<Share, Semaphore>>;
  /**
   * Called before what fills the disk: proposals, and entries of an index.
   *
   * **Errors**: `UnavailableError` while the disk of the server has too little room.
   */
  readonly requireRoom: () => void;
  private answeredAt = Number.NEGATIVE_INFINITY;

  private constructor(
    private readonly source: DataSource,
    { poolSize, requireRoom = () => undefined }: DatabaseSettings,
  ) {
    this.requireRoom = requireRoom;
    const { work, reads, searches } = computeShares(poolSize);
    this.shares = {
      work: new Semaphore(work),
      reads: new Semaphore(reads),
      searches: new Semaphore(searches),
    };
  }

  /**
   * Connects and migrates the schema.
   *
   * **Errors**: `UnavailableError` when the server does not answer.
   */
  static async open(settings: DatabaseSettings): Promise<Database> {
    const source = new DataSource({
      type: 'postgres',
      driver: pg,
      url: settings.url,
      applicationName: 'stratalog',
      connectTimeoutMS: CONNECT_TIMEOUT_MS,
      poolErrorHandler: (error: Error) => settings.onIdleError?.(error),
      entities: ROWS,
      namingStrategy: new PostgresNames(),
      // `pipeline` sends statements together that do not wait for each other's answers.
      extra: {
        max: settings.poolSize,
        types: parseBigintsAsNumbers(),
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
    return new Database(source, settings);
  }

  /**
   * Runs `work` on one connection, for writes and for the process's own work. Translates driver errors.
   *
   * **Errors**: `UnavailableError` when no connection becomes free in time.
   */
  async use<T>(work: Work<T>): Promise<T> {
    try {
      return await this.shares.work.run(
        () => this.onConnection(work),
        AbortSignal.timeout(CONNECT_TIMEOUT_MS),
      );
    } catch (error) {
      throw translateError(error);
    }
  }

  /**
   * Runs a read that an index answers in a few milliseconds, on the connections for reads. The limits of the current
   * caller apply, if there is one.
   *
   * **Errors**: those of `withinLimits` and of `use`.
   */
  read<T>(work: Work<T>): Promise<T> {
    return this.runLimited('reads', work);
  }

  /**
   * Runs a read that may touch any number of rows. Searches that a write needs use the connections for reads, so that
   * they do not wait behind other searches.
   */
  search<T>(work: Work<T>): Promise<T> {
    return this.runLimited(currentCaller()?.writes === true ? 'reads' : 'searches', work);
  }

  /** Runs `work` in a transaction at READ COMMITTED; an error rolls it back. */
  transaction<T>(work: Work<T>): Promise<T> {
    return this.use((client, rows) => rows.transaction(() => work(client, rows)));
  }

  /**
   * Resolves while the server answers. Other work that it answered a moment ago is proof enough: a check must not wait for a connection
   * behind that work.
   *
   * **Errors**: those of `use`.
   */
  async check(): Promise<void> {
    if (performance.now() - this.answeredAt < CHECK_VALID_MS) return;
    await this.use((client) => client.query('select 1'));
  }

  /** How the connections are used, by what they are kept for. */
  connectionUse(): readonly ConnectionUse[] {
    return Object.entries(this.shares).map(([share, semaphore]) => ({ share, ...semaphore.use() }));
  }

  /** Resolves when the connections are closed. A server that stops afterwards breaks none. */
  async close(): Promise<void> {
    const { master } = this.source.driver as unknown as { readonly master: pg.Pool };
    const closed = untilConnectionsClose(master);
    await this.source.destroy();
    await closed;
  }

  /**
   * Cancels the statement when a limit is exceeded; the caller gets its answer once the statement has ended.
   *
   * A stalled server ends no statement. The caller then gets its answer after `CANCEL_TIMEOUT_MS`, and the connection
   * stays in use until it breaks or the server continues.
   */
  private runLimited<T>(share: Exclude<Share, 'work'>, work: Work<T>): Promise<T> {
    if (currentCaller() === undefined) return this.use(work);
    return withinLimits((signal) =>
      rejectWhenStalled(
        this.shares[share].run(
          () =>
            this.onConnection((client, rows) =>
              cancelOnAbort(this, client, signal, () => work(client, rows)),
            ),
          signal,
        ),
        signal,
      ),
    );
  }

  private async onConnection<T>(work: Work<T>): Promise<T> {
    const runner = this.source.createQueryRunner();
    try {
      const client = (await runner.connect()) as PoolClient;
      const done = await work(client, runner.manager).catch(async (error: unknown) => {
        await leaveTransaction(client);
        throw error;
      });
      this.answeredAt = performance.now();
      return done;
    } catch (error) {
      throw translateError(error);
    } finally {
      await runner.release();
    }
  }
}

/**
 * Settles with `running`, or rejects with the reason of `signal` some time after that has aborted, whatever `running`
 * does.
 */
function rejectWhenStalled<T>(running: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return running;
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const leave = (): void => {
      timer = setTimeout(() => {
        reject(signal.reason as Error);
      }, CANCEL_TIMEOUT_MS);
    };
    signal.addEventListener('abort', leave, { once: true });
    void running.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', leave);
      clearTimeout(timer);
    });
  });
}

/**
 * Rolls back a transaction that failed work may have left open, so that the next user of the connection never meets it.
 *
 * A cancelled `commit` leaves the transaction open too. Outside a transaction nothing happens. A broken connection
 * cannot roll back; the server does so when it notices.
 */
async function leaveTransaction(client: PoolClient): Promise<void> {
  await client.query('rollback').catch(() => undefined);
}

/** Resolves when the pool's current connections are closed, or after a timeout, because a lost server closes none. */
function untilConnectionsClose(pool: pg.Pool): Promise<void> {
  let left = pool.totalCount;
  // The pool counts a connection as closed as soon as it has sent Terminate.
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

/** Parses 64-bit integers as numbers: ours (sequence numbers, milliseconds) stay far below 2^53. */
function parseBigintsAsNumbers(): TypeOverrides {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  return types;
}
