import type { Client } from '@elastic/elasticsearch';
import { measure } from '@stratalog/concurrency';

/** The calls that have a name of their own; all others are `other`. */
const OPERATION = /_(bulk|search|doc|count|refresh|mget|msearch|update|create|explain|delete_by_query)\b/;

/** Measures each call of the engine, by the kind of its address. */
export function measureCalls(client: Client): void {
  const started = new WeakMap<object, number>();
  client.diagnostic.on('request', (_error, result) => {
    if (result !== null) started.set(result.meta.request, performance.now());
  });
  client.diagnostic.on('response', (error, result) => {
    const at = result === null ? undefined : started.get(result.meta.request);
    if (result === null || at === undefined) return;
    const operation = nameOperation(result.meta.request.params.path);
    measure('engine', { operation, isOk: error === null, seconds: (performance.now() - at) / 1_000 });
  });
}

/** Names the kind of a call by its path. */
export function nameOperation(path: string): string {
  return OPERATION.exec(path)?.[1] ?? 'other';
}
