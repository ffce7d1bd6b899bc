import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEmbeddedServer } from '@stratalog/adapters-postgres';
import { abortOnSignals } from '@stratalog/local-stack';
import type { CommandSet } from './protocol';
import { Worker } from './worker';

const TMPFS = 0x01021994;
/** The bundles of the bench: this one, and that of the role `serve`. */
const PROGRAM = fileURLToPath(import.meta.url);
const SERVE = fileURLToPath(new URL('serve.js', import.meta.url));

/** Owns the processes and files of a run, so that all of them can be ended and removed in any case. */
export class BenchRun {
  private readonly owned: { stop(): Promise<unknown> }[] = [];
  private readonly dataDirs: string[] = [];

  private constructor(
    readonly folder: string,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Runs `work`; afterwards no process and no file of the run is left, also after a failure or a signal. The files of a quick run, whose
   * figures mean nothing, may lie in memory.
   */
  static async within<T>(
    { quick }: { readonly quick: boolean },
    work: (run: BenchRun) => Promise<T>,
  ): Promise<T> {
    const signal = abortOnSignals();
    const folder = quick ? tmpdir() : durableFolder();
    const run = new BenchRun(mkdtempSync(join(folder, 'stratalog-bench-')), signal);
    signal.addEventListener('abort', () => void run.stopAll());
    try {
      return await work(run);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      await run.end();
    }
  }

  /** Makes a folder for a catalog's data within the run's own. */
  newDataDir(name: string): string {
    const dataDir = join(this.folder, name);
    this.dataDirs.push(dataDir);
    return dataDir;
  }

  async start<C extends CommandSet<C>>(role: string, argument: unknown): Promise<Worker<C>> {
    this.signal.throwIfAborted();
    const worker = Worker.fork<C>(role === 'serve' ? SERVE : PROGRAM, role, argument);
    this.owns(worker);
    await worker.started();
    return worker;
  }

  /** Stops at the end a process or server that was started elsewhere. */
  owns(one: { stop(): Promise<unknown> }): void {
    this.owned.push(one);
  }

  private async end(): Promise<void> {
    await this.stopAll();
    for (const dataDir of this.dataDirs) await endLeftServer(dataDir);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async stopAll(): Promise<void> {
    await Promise.allSettled(this.owned.map((one) => one.stop()));
  }
}

/** A catalog that was killed leaves its server running; opening the folder takes that server over. */
async function endLeftServer(dataDir: string): Promise<void> {
  if (!existsSync(join(dataDir, 'postgres', 'postmaster.pid'))) return;
  const server = await openEmbeddedServer({ dataDir });
  await server.stop();
}

/** Returns the system's folder for temporary files, unless that is memory, where a commit costs nothing. */
function durableFolder(): string {
  const temporary = tmpdir();
  if (statfsSync(temporary).type !== TMPFS) return temporary;
  const own = fileURLToPath(new URL('../.bench', import.meta.url));
  mkdirSync(own, { recursive: true });
  return own;
}
