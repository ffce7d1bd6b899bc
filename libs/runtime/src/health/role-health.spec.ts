import { describe, expect, it } from '@jest/globals';
import type { InstanceHealth } from './heartbeat';
import { roleHealth } from './role-health';

const instance = (
  role: string,
  status: string,
  lag: Readonly<Record<string, number>> = {},
): InstanceHealth => ({
  id: role,
  app: role,
  roles: [role],
  address: 'http://127.0.0.1:1',
  host: 'h',
  pid: 1,
  version: '0.1.0',
  status,
  lag,
  seenMsAgo: 0,
});

describe('roleHealth', () => {
  it('reports every role without a live instance as missing', () => {
    const roles = roleHealth([instance('writer', 'lost', { writer: 5 }), instance('query', 'ready')]);
    expect(roles.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'ingest missing',
      'query ready',
      'graph missing',
      'admin missing',
      'writer missing',
      'indexer missing',
    ]);
    expect(roles[4]).toEqual({ name: 'writer', status: 'missing', instances: 0 });
  });

  it('keeps the last lag of a role without a live instance, and says that it is stale', () => {
    const last = new Map([
      ['writer', 5],
      ['indexer', 1],
    ]);
    const roles = roleHealth(
      [instance('writer', 'lost'), instance('indexer', 'ready', { indexer: 7 })],
      last,
    );
    expect(roles.slice(4)).toEqual([
      { name: 'writer', status: 'missing', instances: 0, lag: 5, isLagStale: true },
      { name: 'indexer', status: 'ready', instances: 1, lag: 7 },
    ]);
  });

  it('reports the best status and the largest lag of the instances', () => {
    const all = [
      instance('indexer', 'starting', { indexer: 7 }),
      instance('indexer', 'degraded', { indexer: 9 }),
      instance('indexer', 'ready'),
      instance('indexer', 'lost', { indexer: 99 }),
      { ...instance('writer', 'stopping'), roles: ['writer', 'graph'] },
    ];
    const roles = new Map(roleHealth(all).map((role) => [role.name, role]));
    expect(roles.get('indexer')).toEqual({ name: 'indexer', status: 'ready', instances: 3, lag: 9 });
    expect([roles.get('writer')?.status, roles.get('graph')?.status]).toEqual(['stopping', 'stopping']);
  });
});
