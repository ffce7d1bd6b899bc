import { setTimeout as pause } from 'node:timers/promises';
import { AppProgram, describeEnd } from '@stratalog/harness';
import { restartDelay } from './restart-delay';

export interface SupervisedDeps {
  /** Among the apps of the catalog: `writer-2`. */
  readonly name: string;
  readonly app: string;
  /** Of the app that listens on this port; 0 picks a free one. */
  readonly environment: (port: number) => NodeJS.ProcessEnv;
  /** Of the first start; later ones take the port of the first. */
  readonly port: number;
  /** Told each line that the app writes to standard error. */
  readonly log: (line: string) => void;
  readonly say: (line: string) => void;
}

/** So much of a line is shown again at the end. */
const MAX_WORDS = 500;

/** One app that comes back to the same address when it ends by itself, a bounded number of times. */
export class SupervisedApp {
  private readonly stopping = new AbortController();
  private readonly ends: number[] = [];
  private process: AppProgram;
  private port: number;
  private address = '';
  private lastLine = '';

  constructor(private readonly deps: SupervisedDeps) {
    this.port = deps.port;
    this.process = this.launch();
  }

  get app(): string {
    return this.deps.app;
  }

  get name(): string {
    return this.deps.name;
  }

  get pid(): number {
    return this.process.pid;
  }

  get url(): string {
    return this.address;
  }

  get metrics(): string | undefined {
    return this.process.metrics;
  }

  /**
   * Resolves once the app is ready for the first time.
   *
   * **Errors**: rejects when it ends before; it is not started again then, for what is wrong at a start is so at the next.
   */
  async ready(): Promise<void> {
    this.address = await this.process.ready();
    this.port = Number(new URL(this.address).port);
    this.tell();
  }

  /** Starts the app again whenever it ends; resolves with why that is given up, and never after `stop`. */
  async untilLost(): Promise<string> {
    for (;;) {
      const ended = describeEnd(await this.process.ended);
      if (this.stopping.signal.aborted) return new Promise(() => undefined);
      this.ends.push(performance.now());
      const delay = restartDelay(this.ends, performance.now());
      if (delay === undefined) {
        const words = this.lastLine === '' ? 'nothing' : this.lastLine.slice(0, MAX_WORDS);
        return `the ${this.name} app ends again and again, the last time by ${ended}; it said at last: ${words}`;
      }
      this.deps.say(`${this.name} ended by itself (${ended}) and is started again in ${String(delay)} ms`);
      await this.restartAfter(delay);
    }
  }

  /** Stops it for good. */
  async stop(): Promise<void> {
    this.stopping.abort();
    // All stop together, so that none has to wait for requests to go elsewhere.
    await this.process.stop('SIGINT');
  }

  private async restartAfter(delay: number): Promise<void> {
    try {
      await pause(delay, undefined, { signal: this.stopping.signal });
    } catch {
      return;
    }
    this.process = this.launch();
    // A process that ends before it is ready is noticed by its end.
    this.process.ready().then(
      () => {
        this.tell();
      },
      () => undefined,
    );
  }

  private launch(): AppProgram {
    const { app, environment, log } = this.deps;
    this.lastLine = '';
    return new AppProgram(app, {
      environment: environment(this.port),
      isDetached: true,
      log: (line) => {
        this.lastLine = line;
        log(line);
      },
    });
  }

  private tell(): void {
    const metrics = this.metrics === undefined ? '' : `, metrics ${this.metrics}`;
    this.deps.say(`${this.name} ready ${this.address} (process ${String(this.pid)}${metrics})`);
  }
}
