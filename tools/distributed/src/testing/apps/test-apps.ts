import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '@stratalog/testkit';

const ROOT = join(import.meta.dirname, '../../../../..');
const START_MS = limitMs(180_000);
const run = promisify(execFile);

/** Builds the apps if their sources have changed. */
export async function buildApps(): Promise<void> {
  await run(process.execPath, [join(ROOT, 'tools/bootstrap/start-distributed.mjs'), '--help']);
}

/** One app as a process of its own, whose whole output a test can read. */
export class TestApp {
  readonly ended: Promise<number | null>;
  private readonly child: ChildProcess;
  private output = '';
  private isOver = false;

  constructor(
    readonly app: string,
    environment: NodeJS.ProcessEnv,
  ) {
    this.child = spawn(process.execPath, [join(ROOT, `dist/apps/${app}/main.js`)], {
      env: { STRATALOG_PROFILE: 'distributed', STRATALOG_PORT: '0', ...environment },
      // The channel reports the end of this process, so that the app outlives no test.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const hear = (chunk: Buffer): void => {
      this.output += chunk.toString();
    };
    this.child.stdout?.on('data', hear);
    this.child.stderr?.on('data', hear);
    this.ended = once(this.child, 'close').then(([code]) => {
      this.isOver = true;
      return code as number | null;
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Its whole output, log lines included. */
  get said(): string {
    return this.output;
  }

  /** Its address, once it reports that it is ready. */
  async ready(): Promise<string> {
    const address = (): string | undefined => /^stratalog \w+ ready (\S+)$/m.exec(this.output)?.[1];
    await until(() => this.isOver || address() !== undefined, START_MS);
    const url = address();
    if (url === undefined) throw new Error(`The ${this.app} app ended before it was ready: ${this.output}`);
    return url;
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  async end(name: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (!this.isOver) this.signal(name);
    await this.ended;
  }
}

/** Apps on one set of servers, of which each test starts those that it needs. */
export class TestApps {
  readonly running: TestApp[] = [];

  constructor(readonly environment: NodeJS.ProcessEnv) {}

  start(app: string, settings: NodeJS.ProcessEnv = {}): TestApp {
    const started = new TestApp(app, { ...this.environment, ...settings });
    this.running.push(started);
    return started;
  }

  /** Starts a proxy in front of ready apps. */
  async startProxy(ingest: readonly string[], query: string): Promise<string> {
    const others = { STRATALOG_GRAPH_URLS: query, STRATALOG_ADMIN_URLS: query };
    const urls = { STRATALOG_INGEST_URLS: ingest.join(','), STRATALOG_QUERY_URLS: query, ...others };
    return this.start('proxy', urls).ready();
  }

  async end(): Promise<void> {
    await Promise.all(this.running.splice(0).map((app) => app.end('SIGKILL')));
  }
}
