import type { Clock, NamedSubscription } from '@stratalog/ports';

export interface HealthReport {
  readonly status: 'ready' | 'starting' | 'degraded' | 'stopping';
  readonly stages: readonly StageHealth[];
}

export interface StageHealth {
  readonly name: string;
  readonly state: 'running' | 'starting' | 'retrying' | 'stopped';
  readonly reason?: string;
}

/** The state of the process and its stages. */
export class Health {
  private phase: 'starting' | 'running' | 'stopping' = 'starting';

  constructor(
    private readonly routes: readonly string[],
    private readonly consumers: readonly NamedSubscription[],
    /** Counts as a stage that retries while it is not plausible; absent where nothing depends on it. */
    private readonly clock?: Clock,
  ) {}

  enter(phase: 'running' | 'stopping'): void {
    this.phase = phase;
  }

  report(): HealthReport {
    const stages: StageHealth[] = [
      ...this.routes.map((name): StageHealth => ({ name, state: 'running' })),
      ...this.consumers.map(({ name, subscription }): StageHealth => ({ name, ...subscription.status() })),
      ...this.clockHealth(),
    ];
    return { status: this.readStatus(stages), stages };
  }

  private clockHealth(): StageHealth[] {
    const reason = this.clock?.doubt?.();
    return reason === undefined ? [] : [{ name: 'clock', state: 'retrying', reason }];
  }

  private readStatus(stages: readonly StageHealth[]): HealthReport['status'] {
    if (this.phase === 'stopping') return 'stopping';
    if (stages.some(({ state }) => state === 'retrying')) return 'degraded';
    return this.phase === 'running' && stages.every(({ state }) => state === 'running')
      ? 'ready'
      : 'starting';
  }
}
