import type { App } from '@stratalog/runtime';

/** Paths are also served under these. */
const PREFIX = /^\/(?:api\/)?gms(?=\/|$)/;

/** Resources that belong to one app whatever is asked of them. */
const OWNERS: ReadonlyMap<string, App> = new Map([
  ['relationships', 'graph'],
  ['operations', 'admin'],
  ['runs', 'ingest'],
  ['schema-registry', 'ingest'],
]);

/** Actions of `aspects` that read; the others write, and an action that does not exist is rejected by the app that has most. */
const ASPECT_READS: ReadonlySet<string> = new Set(['getTimeseriesAspectValues', 'getCount']);

/** Actions of other resources that write. */
const WRITES: ReadonlySet<string> = new Set([
  'ingest',
  'batchIngest',
  'delete',
  'deleteReferences',
  'applyRetention',
]);

/** Actions that take as long as what they work on is large. */
const PAGE_WRITES: ReadonlySet<string> = new Set(['rollback', 'deleteReferences']);

/** Whether a request may take minutes although all is well. */
export function writesPages(target: string): boolean {
  return PAGE_WRITES.has(actionOf(target) ?? '');
}

function actionOf(target: string): string | null {
  return new URLSearchParams(target.split('?', 2)[1] ?? '').get('action');
}

/**
 * Which app serves a request. What no app serves goes to query, whose rejection is as good as any.
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
