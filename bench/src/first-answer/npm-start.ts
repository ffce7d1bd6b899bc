import { spawn, type ChildProcess } from 'node:child_process';
import { plainEnvironment } from '@stratalog/harness';

const READY = /^stratalog ready (\S+)$/m;
const INSTALLING = /^stratalog: installing packages/m;
const BUILT = /^stratalog: built .* in (\d+) ms$/m;
const LIMIT_MS = 300_000;

/** `npm start` in a fresh clone, with the time of each line of its output. */
export class NpmStart {
  /** Resolves with the catalog's address. */
  readonly ready: Promise<string>;
  private output = '';
  private readonly seenMs = new Map<RegExp, number>();
  private readonly exited: Promise<void>;
  private readonly startMs = performance.now();

  private constructor(private readonly child: ChildProcess) {
    this.exited = new Promise((resolve) => {
      child.once('exit', () => {
        resolve();
      });
    });
    this.ready = new Promise((resolve, reject) => {
      const give = (why: string): void => {
        reject(new Error(`npm start ${why}; it said:\n${this.output}`));
      };
      const limit = setTimeout(give, LIMIT_MS, `was not ready after ${String(LIMIT_MS / 1000)} s`);
      const listen = (text: string): void => {
        this.output += text;
        for (const mark of [INSTALLING, BUILT, READY]) {
          if (!this.seenMs.has(mark) && mark.test(this.output)) this.seenMs.set(mark, performance.now());
        }
        const url = READY.exec(this.output)?.[1];
        if (url === undefined) return;
        clearTimeout(limit);
        resolve(url);
      };
      for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', listen);
      void this.exited.then(() => {
        clearTimeout(limit);
        give('ended');
      });
    });
  }

  static in(folder: string, dataDir: string): NpmStart {
    const env = { ...plainEnvironment(), STRATALOG_PORT: '0', STRATALOG_DATA_DIR: dataDir };
    return new NpmStart(spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  /** The parts of the time until it was ready. */
  stepSeconds(): Readonly<Record<string, number>> {
    const buildMs = Number(BUILT.exec(this.output)?.[1] ?? 0);
    const installingMs = this.seenMs.get(INSTALLING) ?? this.startMs;
    const builtMs = this.seenMs.get(BUILT) ?? installingMs;
    const readyMs = this.seenMs.get(READY) ?? builtMs;
    return {
      installSeconds: (builtMs - buildMs - installingMs) / 1000,
      buildSeconds: buildMs / 1000,
      startSeconds: (readyMs - builtMs) / 1000,
    };
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    await this.exited;
  }
}
