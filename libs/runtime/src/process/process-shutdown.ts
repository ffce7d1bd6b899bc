import { Injectable, type BeforeApplicationShutdown, type OnApplicationShutdown } from '@nestjs/common';
import type { OpenDeps } from '../catalog/catalog-deps';
import type { FaultLog } from '../health/fault-log';
import type { Health } from '../health/health';
import type { Heartbeat } from '../health/heartbeat';
import type { MetricsServer } from '../health/metrics-server';
import type { Readiness } from '../health/readiness';
import type { WorkWatch } from '../health/work/work-watch';

interface ProcessDeps {
  readonly health: Pick<Health, 'enter'>;
  readonly readiness: Pick<Readiness, 'stop'>;
  readonly open: Pick<OpenDeps, 'close'>;
}

/**
 * Stops what a process runs when Nest closes the application. Between the two hooks Nest answers the requests
 * under way, closes the server, and closes the transport of the logs, which stops the consumers.
 *
 * One provider has the whole order, because Nest runs the hooks of several providers concurrently.
 */
@Injectable()
export class ProcessShutdown implements BeforeApplicationShutdown, OnApplicationShutdown {
  heartbeat: Pick<Heartbeat, 'stop' | 'instances'> | undefined;
  metrics: Pick<MetricsServer, 'stop'> | undefined;
  faultLog: Pick<FaultLog, 'stop'> | undefined;
  workWatch: Pick<WorkWatch, 'stop' | 'partitionLags' | 'history'> | undefined;
  private readonly stopping = new AbortController();

  /** @param failures those of consumers, and of its own steps */
  constructor(
    private readonly deps: ProcessDeps,
    private readonly failures: unknown[],
  ) {}

  /** Aborts when the shutdown begins. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.deps.health.enter('stopping');
    this.stopping.abort();
    await this.attempt(this.faultLog);
    await this.attempt(this.heartbeat);
    await this.attempt(this.workWatch);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.attempt(this.deps.readiness);
    await this.attempt(this.metrics);
    await this.attempt({ stop: () => this.deps.open.close() });
  }

  /** **Errors**: rejects with the first failure of a hook, which Nest itself only logs. */
  rejectFailed(): void {
    if (this.failures.length > 0) throw this.failures[0];
  }

  /** A part that does not stop keeps no other running. */
  private async attempt(part: { stop(): Promise<void> } | undefined): Promise<void> {
    await part?.stop().catch((error: unknown) => this.failures.push(error));
  }
}
