import { describe, expect, it } from '@jest/globals';
import type { SubscriptionStatus, NamedSubscription } from '@stratalog/ports';
import { Health } from './health';
import type { RoleReadiness } from './readiness';

const consumer = (name: string, status: SubscriptionStatus): NamedSubscription => ({
  name,
  subscription: { start: () => Promise.resolve(), stop: () => Promise.resolve(), status: () => status },
});
const running = { state: 'running' } as const;
const starting = { state: 'starting', reason: 'building' } as const;
const retrying = { state: 'retrying', reason: 'away' } as const;
const stopped = { state: 'stopped' } as const;

describe('Health', () => {
  it.each([
    ['before anything runs', undefined, [running], 'starting'],
    ['when all run', 'running', [running, running], 'ready'],
    ['without consumers', 'running', [], 'ready'],
    ['when one starts', 'running', [running, starting], 'starting'],
    ['when one has stopped', 'running', [running, stopped], 'starting'],
    ['when one tries again', 'running', [running, retrying], 'degraded'],
    ['when one tries again before all run', undefined, [starting, retrying], 'degraded'],
    ['at the end', 'stopping', [running], 'stopping'],
  ] as const)('%s', (_when, phase, statuses, status) => {
    const health = new Health(
      ['query'],
      statuses.map((each, at) => consumer(`c${String(at)}`, each)),
    );
    if (phase !== undefined) health.enter(phase);
    expect(health.report()).toEqual({
      status,
      stages: [
        { name: 'query', state: 'running' },
        ...statuses.map((each, at) => ({ name: `c${String(at)}`, ...each })),
      ],
    });
  });

  it('is ready for a part of the calls while one role is, and tells other processes so', () => {
    const roles: RoleReadiness[] = [
      { name: 'query', status: 'ready' },
      { name: 'search', status: 'ready' },
    ];
    const health = new Health(['query'], [consumer('indexer', starting)], undefined, () => roles);
    expect([health.readiness().status, health.instanceStatus()]).toEqual(['not-ready', 'starting']);
    health.enter('running');
    expect([health.report().status, health.readiness().status, health.instanceStatus()]).toEqual([
      'starting',
      'ready',
      'ready',
    ]);
    roles[1] = { name: 'search', status: 'not-ready', reason: 'away' };
    expect(health.readiness()).toEqual({ status: 'ready', roles });
    roles[0] = { name: 'query', status: 'not-ready', reason: 'away' };
    expect([health.readiness().status, health.instanceStatus()]).toEqual(['not-ready', 'degraded']);
    expect(health.report().stages[0]).toEqual({ name: 'query', state: 'retrying', reason: 'away' });
    health.enter('stopping');
    expect([health.readiness().status, health.instanceStatus()]).toEqual(['not-ready', 'stopping']);
  });

  it('reports the clock while it is not plausible', () => {
    let doubt: string | undefined;
    const health = new Health(['query'], [], { now: () => 0, doubt: () => doubt });
    health.enter('running');
    expect(health.report().status).toBe('ready');
    doubt = 'it jumped';
    expect(health.report()).toEqual({
      status: 'degraded',
      stages: [
        { name: 'query', state: 'running' },
        { name: 'clock', state: 'retrying', reason: 'it jumped' },
      ],
    });
    doubt = undefined;
    expect(health.report().status).toBe('ready');
  });
});
