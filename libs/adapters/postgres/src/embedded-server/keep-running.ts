import { pause } from '@stratalog/ports';
import { isRecovering, killServer, type RunningServer } from './running-server';
import { untilHung } from './server-hang';

const FIRST_DELAY_MS = 500;
const LAST_DELAY_MS = 5_000;

export interface KeptServerOptions {
  readonly server: RunningServer;
  /** Starts the server again where the former one was; rejects when it cannot be used, and has ended it by then. */
  readonly restart: () => Promise<RunningServer>;
  readonly log: (line: string) => void;
  readonly port: number;
  /** How long the server may hang; for ever without it. */
  readonly hangLimitMs: number | undefined;
}

/**
 * A server that is started again when it gives up by itself, which PostgreSQL does when it cannot write its log (a full disk) and cannot
 * recover either, and when it hangs, which we end by force. Tried again and again, because only the outside can mend it. One that is ended
 * by a signal or an order of others is not: somebody wanted that, and who supervises the process is told.
 */
export class KeptServer {
  /** Resolves with how the server has ended when it is not started again. */
  readonly lost: Promise<string>;
  private current: RunningServer;
  private readonly stopping = new AbortController();
  private readonly kept: Promise<string | undefined>;

  constructor(private readonly options: KeptServerOptions) {
    this.current = options.server;
    this.kept = this.keep();
    this.lost = new Promise((resolve) => {
      void this.kept.then((how) => {
        if (how !== undefined) resolve(how);
      });
    });
  }

  get pid(): number {
    return this.current.pid;
  }

  /** Ends what runs; a start that is under way is awaited and ended too. */
  async stop(end: (server: RunningServer) => Promise<void>): Promise<void> {
    this.stopping.abort();
    await end(this.current);
    await this.kept;
    await end(this.current);
  }

  signal(name: NodeJS.Signals): void {
    this.current.signal(name);
  }

  /** `undefined` when it was stopped. */
  private async keep(): Promise<string | undefined> {
    for (;;) {
      const server = this.current;
      const over = new AbortController();
      const hung = this.killedForHanging(server, AbortSignal.any([over.signal, this.stopping.signal]));
      const how = await server.ended;
      over.abort();
      const wasKilled = await hung;
      if (this.isStopping()) return undefined;
      const said = `PostgreSQL (process ${String(server.pid)}) ended by itself: ${how}`;
      if (!wasKilled && !server.hasGivenUp()) return said;
      if (!wasKilled) this.options.log(`${said}; it is started again`);
      await this.startAgain();
      if (this.isStopping()) return undefined;
      this.options.log(`PostgreSQL runs again (process ${String(this.current.pid)})`);
    }
  }

  /** True when the server hung for too long and was ended. */
  private async killedForHanging(server: RunningServer, signal: AbortSignal): Promise<boolean> {
    const { port, hangLimitMs: limitMs, log } = this.options;
    if (limitMs === undefined) return false;
    const watch = { port, limitMs, signal, isRecovering: () => isRecovering(server) };
    if (!(await untilHung(watch))) return false;
    const what = `PostgreSQL (process ${String(server.pid)}) hangs: for ${String(limitMs)} ms it neither answers nor recovers`;
    log(`${what}; it is ended by force and started again`);
    killServer(server);
    return true;
  }

  /** Returns when it works or is to stop. Only the first failure is told: the others say the same with other numbers. */
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
