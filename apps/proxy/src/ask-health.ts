import { APPS, type App, type InstanceHealth } from '@stratalog/runtime';
import { roleHealth, type RoleHealth } from './role-health';

interface AppHealth {
  readonly app: App;
  readonly url: string;
  /** The status that the instance reports, or `unreachable`. */
  readonly status: string;
}

export interface ProxyHealth {
  readonly status: 'ready' | 'degraded';
  /** The instances to which this proxy forwards. */
  readonly apps: readonly AppHealth[];
  /** Absent while no app reports them. */
  readonly roles: readonly RoleHealth[];
  /** Every process of the catalog, as one of the apps knows them. */
  readonly instances: readonly InstanceHealth[];
}

interface Answer extends AppHealth {
  readonly instances?: readonly InstanceHealth[];
}

const PATIENCE_MS = 2_000;

/**
 * Queries every configured instance of every app. The catalog is ready when each app has a ready instance and
 * each role has a live, ready instance.
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

/** The apps are part of the catalog, so their reports have the expected form. */
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
