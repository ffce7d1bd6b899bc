import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const READY = /^stratalog \w+ ready (\S+)$/m;
const METRICS = /^stratalog \w+ metrics (\S+)$/m;

/** The bundles lie next to this one. */
function programOf(app: string): string {
  return fileURLToPath(new URL(`../../apps/${app}/main.js`, import.meta.url));
}

export interface AppOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** A file descriptor or a callback for its log lines; standard error without it. */
  readonly log?: number | ((line: string) => void);
  readonly workingDir?: string;
}

/** One app as a process of its own. */
export class AppProcess {
  readonly ended: Promise<string>;
  private readonly child: ChildProcess;
  private output = '';

  constructor(
    readonly app: string,
    { environment, log, workingDir }: AppOptions,
  ) {
    const isHeard = typeof log === 'function';
    this.child = spawn(process.execPath, [programOf(app)], {
      cwd: workingDir,
      env: environment,
      // In its own process group, so that a Ctrl-C reaches this process alone, which stops the apps in order.
      detached: true,
      // The channel reports the end of this process to the app.
      stdio: ['ignore', 'pipe', isHeard ? 'pipe' : (log ?? 'inherit'), 'ipc'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    const { stderr } = this.child;
    if (isHeard && stderr !== null) createInterface({ input: stderr }).on('line', log);
    this.ended = once(this.child, 'close').then(([code, signal]) =>
      String(signal ?? `exit code ${String(code)}`),
    );
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** The address of its metrics, once it is ready; undefined when it has none. */
  get metrics(): string | undefined {
    return METRICS.exec(this.output)?.[1];
  }

  /**
   * Resolves with the address once the app reports that it is ready.
   *
   * **Errors**: rejects when it ends before.
   */
  async ready(): Promise<string> {
    const { stdout } = this.child;
    for (;;) {
      const url = READY.exec(this.output)?.[1];
      if (url !== undefined) return url;
      const more = stdout === null ? undefined : once(stdout, 'data').then(() => undefined);
      const ending = await Promise.race([more, this.ended]);
      if (ending !== undefined) throw new Error(`The ${this.app} app ended before it was ready: ${ending}`);
    }
  }

  /** Resolves with its exit code or signal. */
  stop(): Promise<string> {
    return this.end('SIGTERM');
  }

  /** `kill -9`. */
  kill(): Promise<string> {
    return this.end('SIGKILL');
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  private end(signal: NodeJS.Signals): Promise<string> {
    this.signal(signal);
    return this.ended;
  }
}
