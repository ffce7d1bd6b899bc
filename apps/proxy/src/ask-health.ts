import { APPS, type App, type InstanceHealth } from '@stratalog/runtime';
import { roleHealth, type RoleHealth } from './role-health';

export interface AppHealth {
  readonly app: App;
  readonly url: string;
  /** What the instance says of itself, or `unreachable`. */
  readonly status: string;
}

export interface ProxyHealth {
  readonly status: 'ready' | 'degraded';
  /** The instances that this proxy hands requests to. */
  readonly apps: readonly AppHealth[];
  /** None while no app can tell. */
  readonly roles: readonly RoleHealth[];
  /** Every process of the catalog, as one of the apps knows them. */
  readonly instances: readonly InstanceHealth[];
}

interface Answer extends AppHealth {
  readonly instances?: readonly InstanceHealth[];
}

const PATIENCE_MS = 2_000;

/**
 * Asks every instance of every app that this proxy knows. Ready when each of them has one that is, and each role of the catalog has a
 * live instance that is.
 */
export async function askHealth(apps: Readonly<Record<App, readonly string[]>>): Promise<ProxyHealth> {
  const asked = APPS.flatMap((app) =>
    apps[app].map(async (url): Promise<Answer> => ({ app, url, ...(await healthAt(url)) })),
  );
  const answers = await Promise.all(asked);
  const instances = answers.find((answer) => answer.instances !== undefined)?.instances;
  const roles = instances === undefined ? [] : roleHealth(instances);
  const isReady =
    APPS.every((app) => answers.some((each) => each.app === app && each.status === 'ready')) &&
    instances !== undefined &&
    roles.every(({ status }) => status === 'ready');
  return {
    status: isReady ? 'ready' : 'degraded',
    apps: answers.map(({ app, url, status }) => ({ app, url, status })),
    roles,
    instances: instances ?? [],
  };
}

/** The apps are ours, so what they say has the form that it should have. */
async function healthAt(url: string): Promise<Pick<Answer, 'status' | 'instances'>> {
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const { status, instances } = (await response.json()) as {
      readonly status?: unknown;
      readonly instances?: readonly InstanceHealth[];
    };
    if (typeof status !== 'string') return { status: 'unreachable' };
    return Array.isArray(instances) ? { status, instances } : { status };
  } catch {
    return { status: 'unreachable' };
  }
}
