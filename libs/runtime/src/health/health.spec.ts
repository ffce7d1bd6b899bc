import { describe, expect, it } from '@jest/globals';
import type { SubscriptionStatus, NamedSubscription } from '@stratalog/ports';
import { Health } from './health';

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
