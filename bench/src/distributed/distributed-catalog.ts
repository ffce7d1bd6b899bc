import { randomBytes } from 'node:crypto';
import { createScratchDatabase } from '@stratalog/adapters-postgres';
import { Program, plainEnvironment } from '@stratalog/harness';
import type { Addresses } from '@stratalog/local-stack';
import type { CpuCores, ResidentMb } from '../machine/process-usage';
import { stackCoresBetween, stackProcesses, stackResidentMb } from '../machine/stack-usage';
import type { BenchRun } from '../processes/bench-run';
import type { MeasuredCatalog } from '../serve/measured-catalog';

/** The apps and their proxy on running servers, with their own database, topics and indices. */
export class DistributedCatalog implements MeasuredCatalog {
  private constructor(
    private readonly program: Program,
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
  static async start(
    run: BenchRun,
    servers: Addresses,
    writers: number,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<DistributedCatalog> {
    const database = await createScratchDatabase(servers.DATABASE_URL);
    const name = `bench${randomBytes(4).toString('hex')}`;
    const program = new Program('dist/tools/distributed/main.js', {
      args: ['--port', '0', '--writers', String(writers)],
      environment: {
        ...plainEnvironment(),
        ...servers,
        DATABASE_URL: database.url,
        KAFKA_TOPIC_PREFIX: `${name}.`,
        STRATALOG_INDEX_PREFIX: name,
        STRATALOG_LOG_LEVEL: 'warn',
        // The bench does not measure authentication.
        STRATALOG_AUTH: 'none',
        ...settings,
      },
      isDetached: true,
    });
    run.owns(program);
    const url = await program.printed(/^stratalog ready (\S+)$/m);
    const ingestUrl = await program.printed(/^stratalog: ingest(?:-1)? ready (\S+) /m);
    return new DistributedCatalog(program, url, ingestUrl, database.url, `${name}.`);
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

  async stop(): Promise<void> {
    await this.program.stop();
  }
}
