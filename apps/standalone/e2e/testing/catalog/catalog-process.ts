import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@stratalog/testkit';
import { CatalogClient } from './catalog-client';

export const ROOT = join(import.meta.dirname, '../../../../..');
const PROGRAM = join(ROOT, 'dist/apps/standalone/main.js');
const READY = /^stratalog ready (\S+)$/m;

/** Builds the program if its sources are newer. */
export function buildProgram(): void {
  const built = spawnSync(process.execPath, [
    join(ROOT, 'tools/bootstrap/build.mjs'),
    'apps/standalone/main',
  ]);
  if (built.status !== 0) throw new Error(built.stderr.toString());
}

/** Returns the environment without settings of the catalog, except those of a test. */
export function cleanEnvironment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(STRATALOG_|DATABASE_|NODE_OPTIONS|npm_)/.test(name),
  );
  return { ...Object.fromEntries(inherited), STRATALOG_PORT: '0', ...settings };
}

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `node dist/apps/standalone/main.js` as a process of its own. */
export class CatalogProcess {
  readonly ended: Promise<Ending>;
  private readonly child: ChildProcess;
  private stdout = '';
  private stderr = '';
  private isOver = false;

  /** `stderr`: a file descriptor for its log, instead of the buffer here. */
  constructor(
    settings: Readonly<Record<string, string>>,
    args: readonly string[] = [],
    stderr: number | 'pipe' = 'pipe',
  ) {
    this.child = spawn(process.execPath, [PROGRAM, ...args], {
      env: cleanEnvironment(settings),
      // The channel reports the end of this process, so that the catalog outlives no test.
      stdio: ['ignore', 'pipe', stderr, 'ipc'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.ended = once(this.child, 'close').then(([code, signal]) => {
      this.isOver = true;
      const { stdout, stderr } = this;
      return { code: code as number | null, signal: signal as NodeJS.Signals | null, stdout, stderr };
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.isOver;
  }

  get output(): string {
    return this.stdout;
  }

  /** Resolves with the address when the program reports that it is ready. */
  async ready(): Promise<string> {
    await until(() => this.isOver || this.stdout.includes('Stop: Ctrl-C'));
    const url = READY.exec(this.stdout)?.[1];
    if (url === undefined) throw new Error(`ended before it was ready: ${this.stdout}${this.stderr}`);
    return url;
  }

  async client(): Promise<CatalogClient> {
    return new CatalogClient(Number(new URL(await this.ready()).port));
  }

  /** Stops reading its output, like a terminal that is closed. */
  hangUp(): void {
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
  }

  end(signal: NodeJS.Signals): Promise<Ending> {
    if (!this.isOver) this.child.kill(signal);
    return this.ended;
  }
}

/** A data folder that can list the processes on it. */
export class DataFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'stratalog-process-'));

  get environment(): Readonly<Record<string, string>> {
    return { STRATALOG_DATA_DIR: this.path };
  }

  get serverPidFile(): string {
    return join(this.path, 'postgres/postmaster.pid');
  }

  /** Lists other processes that work in the folder or name it. */
  processes(): readonly number[] {
    if (process.platform !== 'linux') return existsSync(this.serverPidFile) ? [this.serverPid()] : [];
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && pid !== process.pid && this.isAt(pid));
  }

  serverPid(): number {
    return Number(readFileSync(this.serverPidFile, 'utf8').split('\n')[0]);
  }

  /** Ends processes that a failed test has left, and removes the folder. */
  remove(): void {
    for (const pid of this.processes()) process.kill(pid, 'SIGKILL');
    rmSync(this.path, { recursive: true, force: true });
  }

  private isAt(pid: number): boolean {
    try {
      const isNamed = readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').includes(this.path);
      return isNamed || readlinkSync(`/proc/${String(pid)}/cwd`).startsWith(this.path);
    } catch {
      // The process has ended, or belongs to another user.
      return false;
    }
  }
}
