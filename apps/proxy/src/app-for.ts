import type { App } from '@stratalog/runtime';

/** Paths are also served under these. */
const PREFIX = /^\/(?:api\/)?gms(?=\/|$)/;

/** Resources that belong to one app whatever is asked of them. */
const OWNERS: ReadonlyMap<string, App> = new Map([
  ['relationships', 'graph'],
  ['operations', 'admin'],
  ['runs', 'admin'],
  ['schema-registry', 'ingest'],
]);

/** Actions that write, of resources that are otherwise read. */
const WRITES: ReadonlySet<string> = new Set([
  'ingestProposal',
  'ingestProposalBatch',
  'ingest',
  'batchIngest',
  'delete',
  'deleteReferences',
]);

/**
 * Which app serves a request. What no app serves goes to query, whose refusal is as good as any.
 *
 * `target` is the request target as it was sent.
 */
export function appFor(target: string): App {
  const [path = '', query = ''] = target.split('?', 2);
  const resource = path.replace(PREFIX, '').split('/')[1] ?? '';
  const owner = OWNERS.get(resource);
  if (owner !== undefined) return owner;
  const action = new URLSearchParams(query).get('action');
  return action !== null && WRITES.has(action) ? 'ingest' : 'query';
}
