import type { Clock, NamedSubscription } from '@stratalog/ports';
import type { RoleReadiness } from './readiness';

export interface HealthReport {
  readonly status: 'ready' | 'starting' | 'degraded' | 'stopping';
  readonly stages: readonly StageHealth[];
}

export interface StageHealth {
  readonly name: string;
  readonly state: 'running' | 'starting' | 'retrying' | 'stopped';
  readonly reason?: string;
}

export interface ReadinessReport {
  readonly status: RoleReadiness['status'];
  readonly roles: readonly RoleReadiness[];
}

/** The state of the process and its stages. */
export class Health {
  private phase: 'starting' | 'running' | 'stopping' = 'starting';

  constructor(
    private readonly routes: readonly string[],
    private readonly consumers: readonly NamedSubscription[],
    /** Counts as a stage that retries while it is not plausible; absent where nothing depends on it. */
    private readonly clock?: Clock,
    /** The roles of the stages; a stage whose role is not ready retries. */
    private readonly roles: () => readonly RoleReadiness[] = () => [],
  ) {}

  enter(phase: 'running' | 'stopping'): void {
    this.phase = phase;
  }

  report(): HealthReport {
    const faults = this.listFaults();
    const stages: StageHealth[] = [
      ...this.routes.map((name): StageHealth => ({ name, state: 'running' })),
      ...this.consumers.map(({ name, subscription }): StageHealth => ({ name, ...subscription.status() })),
    ].map((stage): StageHealth => {
      const reason = stage.state === 'running' ? faults.get(stage.name) : undefined;
      return reason === undefined ? stage : { name: stage.name, state: 'retrying', reason };
    });
    const all = [...stages, ...this.clockHealth()];
    return { status: this.readStatus(all), stages: all };
  }

  /** A process is ready while one of its roles is: it can then do a part of its work. */
  readiness(): ReadinessReport {
    const { phase } = this;
    const roles = this.roles().map((role): RoleReadiness =>
      phase === 'running'
        ? role
        : { name: role.name, status: 'not-ready', reason: `the process is ${phase}` },
    );
    const isReady =
      phase === 'running' && (roles.length === 0 || roles.some(({ status }) => status === 'ready'));
    return { status: isReady ? 'ready' : 'not-ready', roles };
  }

  /** The status for other processes: a ready one is of use, whatever else it has to do. */
  instanceStatus(): HealthReport['status'] {
    if (this.readiness().status === 'ready') return 'ready';
    const { status } = this.report();
    return status === 'ready' ? 'degraded' : status;
  }

  private listFaults(): ReadonlyMap<string, string> {
    if (this.phase !== 'running') return new Map();
    return new Map(
      this.roles().flatMap(({ name, reason }) => (reason === undefined ? [] : [[name, reason]])),
    );
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
