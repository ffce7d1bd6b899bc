import { join } from 'node:path';
import {
  catalogProcesses,
  cpuCoresBetween,
  residentMbOf,
  type CpuCores,
  type ResidentMb,
} from '../machine/process-usage';
import { serverProgramOf, type ServerProgram } from '../machine/server-program';
import type { BenchRun } from '../processes/bench-run';
import type { Worker } from '../processes/worker';
import type { MeasuredCatalog } from './measured-catalog';
import type { ServeCommands, ServeOptions } from './serve';

/** A catalog process of the bench, seen from outside. */
export class BenchCatalog implements MeasuredCatalog {
  private constructor(
    private readonly worker: Worker<ServeCommands>,
    private readonly profileFolder: string | undefined,
    readonly url: string,
  ) {}

  /** Resolves when the catalog listens; `ready` when every stage is ready. */
  static async start(run: BenchRun, options: ServeOptions, profileFolder?: string): Promise<BenchCatalog> {
    const worker = await run.start<ServeCommands>('serve', options);
    return new BenchCatalog(worker, profileFolder, await worker.call('url', undefined));
  }

  /** Waits until every stage is ready, including an index build. */
  ready(): Promise<{ readonly seconds: number }> {
    return this.worker.call('ready', undefined);
  }

  get commands(): Pick<Worker<ServeCommands>, 'call'> {
    return this.worker;
  }

  /** **Errors**: an `Error` when the server runs with a setting that gives up durability. */
  get serverProgram(): ServerProgram {
    return serverProgramOf(catalogProcesses(this.worker.pid)?.server?.pid);
  }

  residentMb(): ResidentMb | undefined {
    return residentMbOf(catalogProcesses(this.worker.pid));
  }

  async watching<T>(name: string, work: () => Promise<T>): Promise<T & { readonly cpuCores?: CpuCores }> {
    const profiled = this.profileFolder !== undefined;
    if (profiled) await this.worker.call('startProfile', undefined);
    const before = catalogProcesses(this.worker.pid);
    const start = performance.now();
    const result = await work();
    const cpuCores = cpuCoresBetween(
      before,
      catalogProcesses(this.worker.pid),
      (performance.now() - start) / 1000,
    );
    if (profiled) {
      await this.worker.call('stopProfile', {
        file: join(this.profileFolder, `${name.replace(/\W+/g, '-')}.cpuprofile`),
      });
    }
    return { ...result, ...(cpuCores === undefined ? {} : { cpuCores }) };
  }

  stop(): Promise<void> {
    return this.worker.stop();
  }
}
