import { PollLoop, pause } from '@stratalog/concurrency';
import type { Need, NeedChecks, NamedSubscription } from '@stratalog/ports';

/** A role of a process, with its dependencies. */
export interface RoleNeeds {
  readonly name: string;
  readonly needs: readonly Need[];
  /** The consumers of a log whose work is that of the role. */
  readonly consumers: readonly NamedSubscription[];
  /** True when the role is not ready while the clock is implausible. */
  readonly needsClock: boolean;
}

export interface RoleReadiness {
  readonly name: string;
  readonly status: 'ready' | 'not-ready';
  /** Why it is not ready; for operators, because it may name servers. */
  readonly reason?: string;
}

interface ReadinessOptions {
  readonly roles: readonly RoleNeeds[];
  readonly checks: NeedChecks;
  /** Why the clock is implausible. */
  readonly clockDoubt: () => string | undefined;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

const CHECK_EVERY_MS = 1_000;
/** An answer that takes longer counts as a failure until it arrives. */
const SLOW_MS = 2_000;
/**
 * A dependency is missing once it has failed for this time and so many checks without a break: a busy moment is no outage. The time
 * alone would pass while this process itself stands still, and no check with it.
 */
const GRACE_MS = 4_000;
const GRACE_CHECKS = 3;

/**
 * Says which roles of this process can do their work now. It asks the servers once a second by itself, so that no probe waits for one, and a
 * probe costs them nothing.
 */
export class Readiness {
  private readonly needs: ReadonlyMap<Need, Watch>;
  private readonly consumers = new Map<NamedSubscription, Watch>();
  private readonly loop: PollLoop<void>;
  private readonly now: () => number;

  constructor(private readonly options: ReadinessOptions) {
    const { roles, checks, now = () => performance.now() } = options;
    this.now = now;
    const used = new Set(roles.flatMap(({ needs }) => needs));
    this.needs = new Map(
      [...used].map((need) => [need, new Watch(`${need}: not checked yet`, checks[need])]),
    );
    for (const consumer of roles.flatMap((role) => role.consumers))
      this.consumers.set(
        consumer,
        new Watch(`${consumer.name}: not started yet`, () => rejectFailing(consumer)),
      );
    this.loop = new PollLoop({
      round: () => {
        this.checkAll();
        return Promise.resolve();
      },
      everyMs: CHECK_EVERY_MS,
    });
  }

  /** Resolves after the first checks, or when they take long. */
  async start(): Promise<void> {
    await this.loop.start();
    const settled = new AbortController();
    void Promise.all([...this.watches()].map((watch) => watch.settled)).then(() => {
      settled.abort();
    });
    await pause(SLOW_MS, settled.signal);
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Each role, in the order of the stages. */
  roles(): readonly RoleReadiness[] {
    return this.options.roles.map((role) => {
      const reason = this.findFault(role);
      return {
        name: role.name,
        status: reason === undefined ? 'ready' : 'not-ready',
        ...(reason !== undefined && { reason }),
      };
    });
  }

  private findFault({ needs, consumers, needsClock }: RoleNeeds): string | undefined {
    const now = this.now();
    for (const need of needs) {
      const fault = this.needs.get(need)?.fault(now);
      if (fault !== undefined) return fault;
    }
    for (const consumer of consumers) {
      const fault = this.consumers.get(consumer)?.fault(now);
      if (fault !== undefined) return fault;
    }
    return needsClock ? this.options.clockDoubt() : undefined;
  }

  private *watches(): Iterable<Watch> {
    yield* this.needs.values();
    yield* this.consumers.values();
  }

  private checkAll(): void {
    for (const watch of this.watches()) watch.check(this.now);
  }
}

/** Follows one dependency by repeated checks, of which at most one is under way. */
class Watch {
  private failing: { readonly since: number; checks: number } | undefined = {
    since: Number.NEGATIVE_INFINITY,
    checks: GRACE_CHECKS,
  };
  private startedAt: number | undefined;
  private current: Promise<void> = Promise.resolve();

  constructor(
    private reason: string,
    private readonly ask: () => Promise<void>,
  ) {}

  /** Resolves after the check that is under way. */
  get settled(): Promise<void> {
    return this.current;
  }

  check(now: () => number): void {
    if (this.startedAt !== undefined) {
      if (now() - this.startedAt >= SLOW_MS) this.fail(now(), 'no answer');
      return;
    }
    this.startedAt = now();
    this.current = this.ask()
      .then(
        () => {
          this.failing = undefined;
        },
        (error: unknown) => {
          this.fail(now(), error instanceof Error ? error.message : String(error));
        },
      )
      .finally(() => {
        this.startedAt = undefined;
      });
  }

  /** Why it is missing; `undefined` while it is not. */
  fault(now: number): string | undefined {
    if (this.failing === undefined) return undefined;
    const { since, checks } = this.failing;
    return checks >= GRACE_CHECKS && now - since >= GRACE_MS ? this.reason : undefined;
  }

  private fail(now: number, reason: string): void {
    this.failing ??= { since: now, checks: 0 };
    this.failing.checks += 1;
    this.reason = reason;
  }
}

function rejectFailing({ name, subscription }: NamedSubscription): Promise<void> {
  const status = subscription.status();
  if (status.state === 'running' || status.state === 'starting') return Promise.resolve();
  return Promise.reject(new Error(`${name}: ${status.state === 'retrying' ? status.reason : 'stopped'}`));
}
