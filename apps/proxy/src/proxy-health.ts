import { APPS, type RoleHealth } from '@stratalog/runtime';
import type { AppWatch, WatchedApp } from './app-watch';

interface Answer {
  readonly code: 200 | 503;
  readonly body: object;
}

/** The roles to which the proxy forwards, and the searches of the query app, which need more. */
const ROUTED = [...APPS, 'search'] as const;
/** Without these roles calls fail; without the others searches do, which say so themselves. */
const ESSENTIAL: ReadonlySet<string> = new Set([...APPS, 'writer']);

const HEALTH = /^\/(?:api\/gms\/|gms\/)?health(?:\/(live|ready))?\/?(?:\?|$)/;

type Question = 'live' | 'ready' | 'all';

/** Returns which question about the proxy's health a request asks. */
export function healthQuestion(method: string | undefined, target: string): Question | undefined {
  const match = method === 'GET' ? HEALTH.exec(target) : null;
  return match === null ? undefined : ((match[1] as Question | undefined) ?? 'all');
}

/** Answers from what `watch` knows, except before its first answers. A proxy that is draining is not ready, whatever the apps are. */
export async function answerHealth(
  question: Question,
  watch: AppWatch,
  isDraining: boolean,
): Promise<Answer> {
  if (question === 'live') return { code: 200, body: { status: 'live' } };
  await watch.untilAsked();
  return question === 'ready' ? readiness(watch, isDraining) : health(watch);
}

/** Ready while a part of the calls can be answered: another proxy could answer no more, and a balancer would send it nothing. */
function readiness(watch: AppWatch, isDraining: boolean): Answer {
  const isRoleReady = (name: string): boolean => !isDraining && watch.isRoleReady(name);
  const roles = ROUTED.map((name) => ({ name, status: isRoleReady(name) ? 'ready' : 'not-ready' }));
  const isReady = roles.some(({ status }) => status === 'ready');
  return { code: isReady ? 200 : 503, body: { status: isReady ? 'ready' : 'not-ready', roles } };
}

interface ProxyHealth {
  readonly status: 'ready' | 'degraded';
  /** The instances to which this proxy forwards. */
  readonly apps: readonly WatchedApp[];
  /** Absent while no app knows them. */
  readonly roles: readonly RoleHealth[];
}

function health(watch: AppWatch): Answer {
  const apps = watch.apps();
  const roles = watch.catalog();
  const missing = [
    ...APPS.filter((app) => !apps.some((each) => each.app === app && each.status === 'ready')),
    ...(roles ?? []).filter(({ status }) => status !== 'ready').map(({ name }) => name),
    ...(watch.isRoleReady('search') ? [] : ['search']),
  ];
  const isWhole = roles !== undefined && missing.length === 0;
  const answers = roles !== undefined && !missing.some((name) => ESSENTIAL.has(name));
  const body: ProxyHealth = { status: isWhole ? 'ready' : 'degraded', apps, roles: roles ?? [] };
  return { code: answers ? 200 : 503, body };
}
