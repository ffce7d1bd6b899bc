import type { App } from '@stratalog/runtime';

/** Optional prefixes of every path. */
const PREFIX = /^\/(?:api\/)?gms(?=\/|$)/;

/** Resources of which one app serves every call. */
const OWNERS: ReadonlyMap<string, App> = new Map([
  ['relationships', 'graph'],
  ['operations', 'admin'],
  ['runs', 'ingest'],
  ['schema-registry', 'ingest'],
]);

/**
 * Actions of `aspects` that read. The others write; the ingest app, which has most actions, rejects unknown
 * ones.
 */
const ASPECT_READS: ReadonlySet<string> = new Set(['getTimeseriesAspectValues', 'getCount']);

/** Actions of other resources that write. */
const WRITES: ReadonlySet<string> = new Set([
  'ingest',
  'batchIngest',
  'delete',
  'deleteReferences',
  'applyRetention',
]);

/** Actions whose duration grows with the data that they change. */
const PAGE_WRITES: ReadonlySet<string> = new Set(['rollback', 'deleteReferences']);

/** Whether a valid request may take minutes. */
export function writesPages(target: string): boolean {
  return PAGE_WRITES.has(actionOf(target) ?? '');
}

function actionOf(target: string): string | null {
  return new URLSearchParams(target.split('?', 2)[1] ?? '').get('action');
}

/**
 * Returns the app that serves a request. The query app gets and rejects a request that no app serves.
 *
 * `target` is the request target as it was sent.
 */
export function appFor(target: string): App {
  const [path = ''] = target.split('?', 1);
  const resource = path.replace(PREFIX, '').split('/')[1] ?? '';
  const owner = OWNERS.get(resource);
  if (owner !== undefined) return owner;
  const action = actionOf(target);
  if (action === null) return 'query';
  const isWrite = resource === 'aspects' ? !ASPECT_READS.has(action) : WRITES.has(action);
  return isWrite ? 'ingest' : 'query';
}
