import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { killServer, findServer } from '@stratalog/harness';
import {
  startKafka,
  startPostgres,
  startSearchEngine,
  type Addresses,
  type RunningKafka,
  type RunningPostgres,
  type RunningSearchEngine,
} from '@stratalog/local-stack';

export type ServerName = 'kafka' | 'engine' | 'postgres';

/** The folders of their data. */
const FOLDERS: Readonly<Record<ServerName, string>> = {
  kafka: 'kafka',
  engine: 'opensearch',
  postgres: 'postgresql',
};

/** The servers of a distributed catalog, with their data in a folder and every write of PostgreSQL synced. */
export class Servers {
  private constructor(
    private readonly dataDir: string,
    private readonly kafka: RunningKafka,
    private readonly engine: RunningSearchEngine,
    private readonly postgres: RunningPostgres,
  ) {}

  /** **Errors**: rejects with the first reason when one does not start; the others are stopped then. */
  static async start(dataDir: string, signal: AbortSignal): Promise<Servers> {
    const options = { dataDir, signal };
    const starts = [startKafka(options), startSearchEngine(options), startPostgres({ dataDir })] as const;
    try {
      return new Servers(dataDir, ...(await Promise.all(starts)));
    } catch (error) {
      for (const start of await Promise.allSettled(starts)) {
        if (start.status === 'fulfilled') await start.value.stop();
      }
      throw error;
    }
  }

  get addresses(): Addresses {
    return {
      KAFKA_BROKERS: this.kafka.brokers.join(','),
      ELASTICSEARCH_URL: this.engine.url,
      DATABASE_URL: this.postgres.url,
    };
  }

  /** `kill -9`, of PostgreSQL including its children. */
  async kill(name: ServerName): Promise<void> {
    if (name === 'postgres') this.killPostgres();
    else await this[name].kill();
  }

  /** `kill -9` of all; returns a function that starts them again. */
  async killAll(): Promise<() => Promise<void>> {
    const all: readonly ServerName[] = ['kafka', 'engine', 'postgres'];
    await Promise.all(all.map((name) => this.kill(name)));
    return async () => {
      await Promise.all(all.map((name) => this.restart(name)));
    };
  }

  /** Starts a killed server on the same address and data. */
  restart(name: ServerName): Promise<void> {
    return this[name].restart();
  }

  /** Copies the data of a server at one moment, for {@link putBack}. */
  async copy(name: ServerName): Promise<void> {
    await this.kill(name);
    // A backup has no owner.
    const filter = (path: string): boolean => !path.endsWith('.claim');
    cpSync(this.toFolder(name), this.toCopyFolder(name), { recursive: true, filter });
    await this.restart(name);
  }

  /** Puts the copied data in place of the present ones, as an operator does who restores a backup. */
  async putBack(name: ServerName): Promise<void> {
    await this.kill(name);
    rmSync(this.toFolder(name), { recursive: true, force: true });
    renameSync(this.toCopyFolder(name), this.toFolder(name));
    await this.restart(name);
  }

  async stop(): Promise<void> {
    await Promise.all([this.kafka.stop(), this.engine.stop(), this.postgres.stop()]);
  }

  private toFolder(name: ServerName): string {
    return join(this.dataDir, FOLDERS[name]);
  }

  private toCopyFolder(name: ServerName): string {
    return `${this.toFolder(name)}-copy`;
  }

  /** Kills at once, for the end of this process; the other servers notice that by themselves. */
  killPostgres(): void {
    const server = findServer(join(this.dataDir, 'postgresql'));
    if (server !== undefined) killServer(server);
  }
}
