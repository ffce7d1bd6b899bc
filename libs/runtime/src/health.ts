import type { NamedConsumption } from '@stratalog/ports';

export interface HealthReport {
  readonly status: 'ready' | 'starting' | 'degraded' | 'stopping';
  readonly stages: readonly StageHealth[];
}

export interface StageHealth {
  readonly name: string;
  readonly state: 'running' | 'starting' | 'retrying' | 'stopped';
  readonly reason?: string;
}

/** What the process can say about its stages. */
export class Health {
  private phase: 'starting' | 'running' | 'stopping' = 'starting';

  constructor(
    private readonly routes: readonly string[],
    private readonly consumers: readonly NamedConsumption[],
  ) {}

  enter(phase: 'running' | 'stopping'): void {
    this.phase = phase;
  }

  report(): HealthReport {
    const stages: StageHealth[] = [
      ...this.routes.map((name): StageHealth => ({ name, state: 'running' })),
      ...this.consumers.map(({ name, consumption }): StageHealth => ({ name, ...consumption.status() })),
    ];
    return { status: this.statusOf(stages), stages };
  }

  private statusOf(stages: readonly StageHealth[]): HealthReport['status'] {
    if (this.phase === 'stopping') return 'stopping';
    if (stages.some(({ state }) => state === 'retrying')) return 'degraded';
    return this.phase === 'running' && stages.every(({ state }) => state === 'running')
      ? 'ready'
      : 'starting';
  }
}
