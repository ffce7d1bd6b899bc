import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createScratchDatabase } from '@stratalog/adapters-postgres';
import type { Addresses } from '@stratalog/local-stack';
import type { CpuCores, ResidentMb } from '../machine/process-usage';
import { stackCoresBetween, stackProcesses, stackResidentMb } from '../machine/stack-usage';
import type { BenchRun } from '../processes/bench-run';
import type { MeasuredCatalog } from '../serve/measured-catalog';

const PROGRAM = fileURLToPath(new URL('../tools/distributed/main.js', import.meta.url));
/** The number of characters of the program's output to keep, to bound memory. */
const KEPT_CHARACTERS = 4_000;

/** The apps and their proxy on running servers, with their own database, topics and indices. */
export class DistributedCatalog implements MeasuredCatalog {
  private constructor(
    private readonly child: ChildProcess,
    private readonly closed: Promise<unknown>,
    /** The proxy's. */
    readonly url: string,
    /** Of the ingest app itself. */
    readonly ingestUrl: string,
    readonly databaseUrl: string,
    readonly topicPrefix: string,
  ) {}

  /**
   * Resolves when a write has become searchable.
   *
   * **Errors**: rejects with the program's output when it ends before.
   */
  static async start(run: BenchRun, servers: Addresses, writers: number): Promise<DistributedCatalog> {
    const database = await createScratchDatabase(servers.DATABASE_URL);
    const name = `bench${randomBytes(4).toString('hex')}`;
    const child = spawn(process.execPath, [PROGRAM, '--port', '0', '--writers', String(writers)], {
      env: {
        ...process.env,
        ...servers,
        DATABASE_URL: database.url,
        KAFKA_TOPIC_PREFIX: `${name}.`,
        STRATALOG_INDEX_PREFIX: name,
        STRATALOG_LOG_LEVEL: 'warn',
        // The bench does not measure authentication.
        STRATALOG_AUTH: 'operations',
        // Removes the settings of the user's own catalog.
        STRATALOG_DATA_DIR: '',
        STRATALOG_HOST: '',
      },
      // In another process group, so that a Ctrl-C in the terminal reaches the bench alone, which stops
      // everything in order.
      detached: true,
      // The channel reports the end of this process.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const closed = once(child, 'close');
    run.owns({ stop: () => end(child, closed) });
    const { url, ingestUrl } = await readyUrls(child, closed);
    return new DistributedCatalog(child, closed, url, ingestUrl, database.url, `${name}.`);
  }

  async watching<T>(_name: string, work: () => Promise<T>): Promise<T & { readonly cpuCores: CpuCores }> {
    const before = stackProcesses(process.pid);
    const start = performance.now();
    const result = await work();
    const seconds = (performance.now() - start) / 1000;
    return { ...result, cpuCores: stackCoresBetween(before, stackProcesses(process.pid), seconds) };
  }

  /** The servers count too. */
  residentMb(): ResidentMb {
    return stackResidentMb(stackProcesses(process.pid));
  }

  stop(): Promise<void> {
    return end(this.child, this.closed);
  }
}

interface ReadyUrls {
  readonly url: string;
  readonly ingestUrl: string;
}

async function readyUrls(child: ChildProcess, closed: Promise<unknown>): Promise<ReadyUrls> {
  let said = '';
  let told = '';
  let ingestUrl = '';
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-KEPT_CHARACTERS);
      ingestUrl = /^stratalog: ingest(?:-1)? ready (\S+) /m.exec(said)?.[1] ?? ingestUrl;
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      told = (told + chunk.toString()).slice(-KEPT_CHARACTERS);
      const url = /^stratalog ready (\S+)$/m.exec(told)?.[1];
      if (url !== undefined) resolve({ url, ingestUrl });
    });
    void closed.then(() => {
      reject(new Error(`The distributed catalog has ended: ${said}`));
    });
  });
}

async function end(child: ChildProcess, closed: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM');
  await closed;
}
