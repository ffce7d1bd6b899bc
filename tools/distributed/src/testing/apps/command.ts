import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { until } from '@stratalog/testkit';

const BOOTSTRAP = join(import.meta.dirname, '../../../../bootstrap');
export const START_MS = 180_000;

/** The test run's environment without its settings of the catalog. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(STRATALOG_|NODE_OPTIONS)/.test(name)),
  );
}

/** A command that starts a catalog, as a user gives it: `start` or `start-distributed`. */
export class Command {
  readonly ended: Promise<number | null>;
  private readonly child: ChildProcess;
  private stdout = '';
  private stderr = '';
  private isOver = false;
  private isAbandoned = false;

  constructor(name: string, environment: NodeJS.ProcessEnv, args: readonly string[] = []) {
    this.child = spawn(process.execPath, [join(BOOTSTRAP, `${name}.mjs`), ...args], {
      env: environment,
      // The channel tells it when we are gone, so that it outlives no test.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.ended = new Promise((resolve) => {
      const settle = (code: number | null): void => {
        this.isOver = true;
        resolve(code);
      };
      this.child.once('close', settle);
      // Node does not take a child for closed whose channel we have closed.
      this.child.once('exit', (code) => {
        if (this.isAbandoned) settle(code);
      });
    });
  }

  async ready(): Promise<string> {
    await until(() => this.isOver || this.stdout.includes('ready'), START_MS);
    const url = /^stratalog ready (\S+)$/m.exec(this.stdout)?.[1];
    if (url === undefined) throw new Error(`ended before it was ready: ${this.stderr}`);
    return url;
  }

  /** What it has told on standard output. */
  get said(): string {
    return this.stdout;
  }

  /** What it has told on standard error. */
  get logged(): string {
    return this.stderr;
  }

  /** How often instances of an app said that they are ready. */
  count(app: string): number {
    return [...this.stderr.matchAll(new RegExp(`^stratalog: ${app}(?:-\\d+)? ready `, 'gm'))].length;
  }

  /** Stops reading what it says, as a terminal does that is closed. */
  hangUp(): void {
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
  }

  /** Lets go of it, as the end of this process would. */
  abandon(): Promise<number | null> {
    this.isAbandoned = true;
    this.child.disconnect();
    return this.ended;
  }

  end(signal: NodeJS.Signals): Promise<number | null> {
    if (!this.isOver) this.child.kill(signal);
    return this.ended;
  }
}
