import { APPS, type App } from '@stratalog/runtime';

export interface AppHealth {
  readonly app: App;
  readonly url: string;
  /** What the instance says of itself, or `unreachable`. */
  readonly status: string;
}

export interface ProxyHealth {
  readonly status: 'ready' | 'degraded';
  readonly apps: readonly AppHealth[];
}

const PATIENCE_MS = 2_000;

/** Asks every instance of every app. Ready when each app has one that is. */
export async function askHealth(apps: Readonly<Record<App, readonly string[]>>): Promise<ProxyHealth> {
  const asked = APPS.flatMap((app) =>
    apps[app].map(async (url): Promise<AppHealth> => ({ app, url, status: await statusAt(url) })),
  );
  const answers = await Promise.all(asked);
  const isReady = APPS.every((app) => answers.some((each) => each.app === app && each.status === 'ready'));
  return { status: isReady ? 'ready' : 'degraded', apps: answers };
}

async function statusAt(url: string): Promise<string> {
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const { status } = (await response.json()) as { readonly status?: unknown };
    return typeof status === 'string' ? status : 'unreachable';
  } catch {
    return 'unreachable';
  }
}
