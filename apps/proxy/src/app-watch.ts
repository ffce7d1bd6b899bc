import { APPS, type App, type RoleHealth } from '@stratalog/runtime';
import type { AppInstances } from './app-instances';
import type { Instance } from './instance';

export interface WatchedApp {
  readonly app: App;
  readonly status: 'ready' | 'not-ready' | 'unreachable';
}

/**
 * Knows which instances of the apps are ready. They are asked all the time, so that an answer of the proxy waits for none, and a busy moment of
 * one changes nothing.
 */
export class AppWatch {
  constructor(private readonly instances: Readonly<Record<App, Pick<AppInstances, 'all'>>>) {}

  /** Resolves once each instance was asked, or has not answered in time. */
  async untilAsked(): Promise<void> {
    await Promise.all(this.all().map(({ asked }) => asked));
  }

  /** Every instance, in the order of the settings. */
  apps(): readonly WatchedApp[] {
    return APPS.flatMap((app) =>
      this.instances[app].all().map((instance): WatchedApp => ({ app, status: statusOf(instance) })),
    );
  }

  /** True when an instance of the apps says that its role is ready. */
  isRoleReady(name: string): boolean {
    return this.all().some(
      (instance) =>
        instance.known()?.roles.some((role) => role.name === name && role.status === 'ready') === true,
    );
  }

  /** The roles of the catalog; `undefined` while no app knows them. */
  catalog(): readonly RoleHealth[] | undefined {
    for (const instance of this.all()) {
      const catalog = instance.known()?.catalog;
      if (catalog !== undefined) return catalog;
    }
    return undefined;
  }

  private all(): readonly Instance[] {
    return APPS.flatMap((app) => this.instances[app].all());
  }
}

function statusOf(instance: Instance): WatchedApp['status'] {
  const known = instance.known();
  if (known === undefined) return 'unreachable';
  return known.isReady ? 'ready' : 'not-ready';
}
