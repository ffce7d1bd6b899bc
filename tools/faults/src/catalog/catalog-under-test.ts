import { setTimeout as pause } from 'node:timers/promises';
import {
  describeEnd,
  interruptProcess,
  kill,
  killServer,
  processesIn,
  findServer,
  until,
  type CatalogProgram,
  type SeededRandom,
} from '@stratalog/harness';
import { startCatalog, type StartSettings } from './start-catalog';
import { lastWordsIn } from './last-words';
import type { CatalogClient } from './catalog-client';
import type { Victim } from './fault-plan';
import { Violation } from '../ledger/violation';
import type { Workspace } from './workspace';
import { scaledLimit } from '../scaled-limit';

/** The time limit of a start without a build; PostgreSQL may have a log to replay. */
const READY_LIMIT_MS = scaledLimit(60_000);
/** The time limit of a start that builds the index, under load. */
const BUILD_LIMIT_MS = scaledLimit(300_000);
/** The time limit in which a catalog whose server was killed reports it and ends. */
const END_LIMIT_MS = scaledLimit(40_000);
const STOP_LIMIT_MS = scaledLimit(40_000);
/** The time for an orderly end before a kill. */
const ORDERLY_MS = 5_000;
const POLL_MS = 10;

/** The catalog of a run: started, killed and started again on one data folder. */
export class CatalogUnderTest {
  /** Which model the running process has. */
  secondModel = false;
  private process: CatalogProgram | undefined;

  constructor(
    private readonly workspace: Workspace,
    private readonly client: CatalogClient,
    private readonly random: SeededRandom,
    private readonly signal: AbortSignal,
  ) {}

  get isReady(): boolean {
    return this.running().isReady;
  }

  get pid(): number {
    return this.running().pid;
  }

  start(secondModel: boolean, limits: Pick<StartSettings, 'heapMb'> = {}): void {
    this.secondModel = secondModel;
    this.process = startCatalog(this.workspace, { port: this.client.port, secondModel, ...limits });
  }

  /**
   * Waits until the catalog is ready again; returns the time since its start.
   *
   * **Errors**: `Violation` when it ends instead, or takes too long.
   */
  async ready(builds: boolean): Promise<number> {
    const own = this.running();
    const limitMs = builds ? BUILD_LIMIT_MS : READY_LIMIT_MS;
    const ready = await until(() => this.whenReady(own), {
      limitMs,
      pollMs: 5,
      signal: this.signal,
    });
    if (ready === undefined) {
      throw new Violation(
        'restart',
        `not ready ${limitMs} ms after its start; health: ${await this.healthText()}`,
      );
    }
    return Math.round(performance.now() - own.startedAtMs);
  }

  /** Waits until the catalog builds its index; false when it was ready before that could be seen. */
  async building(): Promise<boolean> {
    const own = this.running();
    const seen = await until(
      async () => {
        if (this.whenReady(own) === true) return 'ready';
        return (await this.healthText()).includes('building') ? 'building' : undefined;
      },
      { limitMs: READY_LIMIT_MS, pollMs: POLL_MS, signal: this.signal },
    );
    return seen === 'building';
  }

  /**
   * `kill -9`. When it resolves, the killed processes have ended, except a session's server, which restarts
   * its sessions by itself.
   */
  async strike(victim: Victim): Promise<void> {
    const own = this.running();
    switch (victim) {
      case 'catalog':
        await own.stop('SIGKILL');
        return;
      case 'catalog-and-postgres':
        await own.stop('SIGKILL');
        this.killPostgres();
        return;
      case 'postgres':
        this.killPostgres();
        await this.endsByItself(own);
        return;
      case 'session': {
        const [first, ...others] = findServer(this.workspace.dataDir)?.children ?? [];
        if (first === undefined) throw new Error('PostgreSQL has no process to kill');
        kill(this.random.pick([first, ...others]));
        return;
      }
    }
  }

  /** Waits until every stage is ready, without a restart. **Errors**: `Violation`. */
  async healed(): Promise<void> {
    const own = this.running();
    const ask = async (): Promise<true | undefined> => {
      this.mustRun(own);
      const health = await this.client.health();
      return health.kind === 'answered' && health.status === 200 ? true : undefined;
    };
    const healed = await until(ask, { limitMs: READY_LIMIT_MS, pollMs: POLL_MS, signal: this.signal });
    if (healed === undefined) {
      const health = await this.healthText();
      throw new Violation('restart', `not ready ${READY_LIMIT_MS} ms after a session was killed: ${health}`);
    }
  }

  /** Stops in order. **Errors**: `Violation` when that fails or leaves a process behind. */
  async stop(): Promise<void> {
    const own = this.running();
    own.signal('SIGTERM');
    const ended = await until(() => own.end, {
      limitMs: STOP_LIMIT_MS,
      pollMs: POLL_MS,
      signal: this.signal,
    });
    if (ended?.code !== 0) {
      throw new Violation(
        'stop',
        `told to stop, it ended with ${ended === undefined ? 'nothing' : describeEnd(ended)}: ${this.lastWords()}`,
      );
    }
    const left = this.left();
    if (left.length > 0) throw new Violation('stop', `it left processes behind: ${left.join(', ')}`);
  }

  /** Ends every process of this run: in order if possible, so that PostgreSQL releases its shared memory. */
  async end(): Promise<void> {
    this.process?.signal('SIGTERM');
    const own = this.process?.ended.then(() => undefined);
    await Promise.race([own, pause(ORDERLY_MS, undefined, { ref: false })]);
    const server = findServer(this.workspace.dataDir);
    if (server !== undefined) {
      interruptProcess(server.postmaster);
      const gone = (): true | undefined => (this.left().length === 0 ? true : undefined);
      await until(gone, { limitMs: ORDERLY_MS, pollMs: POLL_MS, signal: new AbortController().signal });
    }
    this.endAll();
  }

  /** The same by force and at once. Harmless when no process is left. */
  endAll(): void {
    this.process?.signal('SIGKILL');
    this.left().forEach(kill);
  }

  /** **Errors**: `Violation` when it has ended. */
  mustRun(own = this.running()): void {
    if (own.end === undefined) return;
    throw new Violation('restart', `it ended with ${describeEnd(own.end)}: ${this.lastWords()}`);
  }

  private lastWords(): string {
    return lastWordsIn(this.workspace.logFile);
  }

  private left(): readonly number[] {
    return processesIn(this.workspace.folder, this.workspace.dataDir);
  }

  private running(): CatalogProgram {
    if (this.process === undefined) throw new Error('The catalog was not started');
    return this.process;
  }

  private killPostgres(): void {
    const server = findServer(this.workspace.dataDir);
    if (server !== undefined) killServer(server);
  }

  private async endsByItself(own: CatalogProgram): Promise<void> {
    const ended = await until(() => own.end, {
      limitMs: END_LIMIT_MS,
      pollMs: POLL_MS,
      signal: this.signal,
    });
    if (ended === undefined)
      throw new Violation('restart', 'PostgreSQL was killed, and the catalog did not end');
    if (ended.code === 0)
      throw new Violation('restart', 'PostgreSQL was killed, and the catalog ended with status 0');
  }

  private whenReady(own: CatalogProgram): true | undefined {
    this.mustRun(own);
    return own.isReady ? true : undefined;
  }

  private async healthText(): Promise<string> {
    const health = await this.client.health();
    return health.kind === 'answered' ? health.body : health.kind;
  }
}
