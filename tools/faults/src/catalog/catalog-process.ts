import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foreignEnvironment } from './foreign-environment';
import { lastWordsIn } from './last-words';
import type { Workspace } from './workspace';

/** The program of `npm start`. From the sources and from the bundle alike: three folders below the root. */
const PROGRAM = fileURLToPath(new URL('../../../dist/apps/standalone/main.js', import.meta.url));
export const MODELS = fileURLToPath(new URL('../../../models', import.meta.url));
const OWN_MODELS = fileURLToPath(new URL('../../../tools/faults/models', import.meta.url));
export const PARTITIONS = 16;

/** The folder of the model that this process has besides the product's. */
export function ownModel(isSecond: boolean): string {
  return join(OWN_MODELS, isSecond ? 'second' : 'first');
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface StartSettings {
  readonly port: number;
  readonly secondModel: boolean;
}

/** One run of the catalog, from its start to its end. */
export class CatalogProcess {
  readonly ended: Promise<Ended>;
  readonly startedAtMs = performance.now();
  private endedWith: Ended | undefined;
  private saidReady = false;

  private constructor(
    private readonly child: ChildProcess,
    private readonly logFile: string,
  ) {
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => {
        this.endedWith = { code, signal };
        resolve(this.endedWith);
      });
    });
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.saidReady ||= text.includes('stratalog ready ');
    });
  }

  /** In a process group of its own: a Ctrl-C in the terminal must not reach it before this process. */
  static start(
    { folder, dataDir, logFile }: Workspace,
    { port, secondModel }: StartSettings,
  ): CatalogProcess {
    const log = openSync(logFile, 'a');
    const child = spawn(process.execPath, [PROGRAM], {
      cwd: folder,
      env: {
        ...foreignEnvironment(),
        STRATALOG_DATA_DIR: dataDir,
        STRATALOG_PORT: String(port),
        STRATALOG_PARTITIONS: String(PARTITIONS),
        STRATALOG_LOG_LEVEL: 'warn',
        STRATALOG_MODELS: ownModel(secondModel),
      },
      detached: true,
      // The channel reports the end of this process.
      stdio: ['ignore', 'pipe', log, 'ipc'],
    });
    closeSync(log);
    return new CatalogProcess(child, logFile);
  }

  /** **Errors**: `Error` when the system did not start it. */
  get pid(): number {
    if (this.child.pid === undefined) throw new Error('The catalog did not start');
    return this.child.pid;
  }

  get hasEnded(): Ended | undefined {
    return this.endedWith;
  }

  /** True once it has printed that every stage is ready. */
  get isReady(): boolean {
    return this.saidReady;
  }

  /** `kill -9` of this one process, not of its children. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  /** Kills without waiting, for the end of this process. */
  killNow(): void {
    this.child.kill('SIGKILL');
  }

  /** Asks it to stop in order. */
  terminate(): void {
    this.child.kill('SIGTERM');
  }

  lastWords(): string {
    return lastWordsIn(this.logFile);
  }
}
