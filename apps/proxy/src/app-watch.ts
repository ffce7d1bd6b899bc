import { PollLoop } from '@stratalog/concurrency';
import { APPS, type App, type RoleHealth } from '@stratalog/runtime';

/** The answer of an instance of an app about itself. */
interface ReadyAnswer {
  readonly isReady: boolean;
  readonly roles: readonly { readonly name: string; readonly status: string }[];
  /** The roles of the whole catalog, as far as the instance knows them. */
  readonly catalog?: readonly RoleHealth[];
}

const ASK_EVERY_MS = 1_000;
/** A busy instance may take this long: it still answers the requests that it has. */
const PATIENCE_MS = 5_000;
/**
 * An answer counts for this time, and until so many questions have failed since: a busy moment is no outage. The time alone would pass
 * while the proxy itself stands still.
 */
const KEPT_MS = 2 * ASK_EVERY_MS + PATIENCE_MS;
const KEPT_FAILURES = 2;

/** Asks one instance of an app again and again whether it is ready. */
class InstanceWatch {
  private answer: ReadyAnswer | undefined;
  private answeredAt = 0;
  /** Questions without an answer since the last one. */
  private failures = 0;
  private settle: () => void = () => undefined;
  /** Resolves after the first question. */
  readonly asked = new Promise<void>((settle) => {
    this.settle = settle;
  });
  readonly loop = new PollLoop<void>({
    round: (signal) => this.ask(signal),
    everyMs: ASK_EVERY_MS,
    onFailure: () => {
      this.failures += 1;
      return Promise.resolve();
    },
  });

  constructor(
    readonly app: App,
    private readonly url: string,
  ) {}

  /** The last answer; `undefined` while the instance cannot be reached. */
  known(): ReadyAnswer | undefined {
    const isLate = this.failures >= KEPT_FAILURES && performance.now() - this.answeredAt >= KEPT_MS;
    return isLate ? undefined : this.answer;
  }

  private async ask(signal: AbortSignal): Promise<void> {
    try {
      const limits = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
      const response = await fetch(`${this.url}/health/ready`, { signal: limits });
      const { roles = [], ...rest } = (await response.json()) as Partial<ReadyAnswer>;
      this.answer = { ...rest, roles, isReady: response.ok };
      this.answeredAt = performance.now();
      this.failures = 0;
    } finally {
      this.settle();
    }
  }
}

export interface WatchedApp {
  readonly app: App;
  readonly status: 'ready' | 'not-ready' | 'unreachable';
}

/**
 * Knows which instances of the apps are ready. It asks them by itself, so that an answer of the proxy waits for none, and a busy moment of one
 * changes nothing.
 */
export class AppWatch {
  private readonly instances: readonly InstanceWatch[];

  constructor(apps: Readonly<Record<App, readonly string[]>>) {
    this.instances = APPS.flatMap((app) => apps[app].map((url) => new InstanceWatch(app, url)));
  }

  async start(): Promise<void> {
    await Promise.all(this.instances.map(({ loop }) => loop.start()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.instances.map(({ loop }) => loop.stop()));
  }

  /** Resolves once each instance was asked, or has not answered in time. */
  async untilAsked(): Promise<void> {
    await Promise.all(this.instances.map(({ asked }) => asked));
  }

  /** Every instance, in the order of the settings. */
  apps(): readonly WatchedApp[] {
    return this.instances.map((instance) => {
      const known = instance.known();
      if (known === undefined) return { app: instance.app, status: 'unreachable' };
      return { app: instance.app, status: known.isReady ? 'ready' : 'not-ready' };
    });
  }

  /** True when an instance of the apps says that its role is ready. */
  isRoleReady(name: string): boolean {
    return this.instances.some(
      (instance) =>
        instance.known()?.roles.some((role) => role.name === name && role.status === 'ready') === true,
    );
  }

  /** The roles of the catalog; `undefined` while no app knows them. */
  catalog(): readonly RoleHealth[] | undefined {
    for (const instance of this.instances) {
      const catalog = instance.known()?.catalog;
      if (catalog !== undefined) return catalog;
    }
    return undefined;
  }
}
