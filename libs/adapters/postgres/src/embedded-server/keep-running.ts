import { pause } from '@stratalog/concurrency';
import { isRecovering, killServer, type RunningServer } from './running-server';
import { untilHung } from './server-hang';

const FIRST_DELAY_MS = 500;
const LAST_DELAY_MS = 5_000;

export interface KeptServerOptions {
  readonly server: RunningServer;
  /** Starts the server again in the same place. Rejects when the server is unusable, after ending it. */
  readonly restart: () => Promise<RunningServer>;
  readonly log: (line: string) => void;
  readonly port: number;
  /** How long the server may hang; unlimited if undefined. */
  readonly hangLimitMs: number | undefined;
}

/**
 * Restarts a server that gives up or hangs.
 *
 * PostgreSQL gives up when it cannot write its log (a full disk) and cannot recover either. A hanging server is killed.
 * The restart is retried until it succeeds, because only the environment can remove the cause. A server that another
 * process ends by a signal is not restarted: that was intended, and `lost` reports it.
 */
export class KeptServer {
  /** Resolves with the reason when the server has ended and is not restarted. */
  readonly lost: Promise<string>;
  private current: RunningServer;
  private readonly stopping = new AbortController();
  private readonly finished: Promise<string | undefined>;

  constructor(private readonly options: KeptServerOptions) {
    this.current = options.server;
    this.finished = this.superviseUntilEnd();
    this.lost = new Promise((resolve) => {
      void this.finished.then((how) => {
        if (how !== undefined) resolve(how);
      });
    });
  }

  get pid(): number {
    return this.current.pid;
  }

  /** Ends the running server; waits for a start in progress and ends that server too. */
  async stop(end: (server: RunningServer) => Promise<void>): Promise<void> {
    this.stopping.abort();
    await end(this.current);
    await this.finished;
    await end(this.current);
  }

  signal(name: NodeJS.Signals): void {
    this.current.signal(name);
  }

  /** Resolves with the reason of the end, or `undefined` after `stop`. */
  private async superviseUntilEnd(): Promise<string | undefined> {
    for (;;) {
      const server = this.current;
      const over = new AbortController();
      const hung = this.killWhenHung(server, AbortSignal.any([over.signal, this.stopping.signal]));
      const how = await server.ended;
      over.abort();
      const wasKilled = await hung;
      if (this.isStopping()) return undefined;
      const message = `PostgreSQL (process ${String(server.pid)}) ended by itself: ${how}`;
      if (!wasKilled && !server.hasGivenUp()) return message;
      if (!wasKilled) this.options.log(`${message}; it is started again`);
      await this.startAgain();
      if (this.isStopping()) return undefined;
      this.options.log(`PostgreSQL runs again (process ${String(this.current.pid)})`);
    }
  }

  /** True when the server hung for too long and was killed. */
  private async killWhenHung(server: RunningServer, signal: AbortSignal): Promise<boolean> {
    const { port, hangLimitMs: limitMs, log } = this.options;
    if (limitMs === undefined) return false;
    const watch = { port, limitMs, signal, isRecovering: () => isRecovering(server) };
    if (!(await untilHung(watch))) return false;
    const what = `PostgreSQL (process ${String(server.pid)}) hangs: for ${String(limitMs)} ms it neither answers nor recovers`;
    log(`${what}; it is ended by force and started again`);
    killServer(server);
    return true;
  }

  /** Resolves when the server runs or `stop` was called. Logs only the first failure; the others repeat it. */
  private async startAgain(): Promise<void> {
    let failures = 0;
    for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, LAST_DELAY_MS)) {
      await pause(delayMs, this.stopping.signal);
      if (this.isStopping()) return;
      try {
        this.current = await this.options.restart();
        return;
      } catch (error) {
        failures += 1;
        if (failures === 1) this.options.log(`PostgreSQL cannot be started yet: ${(error as Error).message}`);
      }
    }
  }

  private isStopping(): boolean {
    return this.stopping.signal.aborted;
  }
}
