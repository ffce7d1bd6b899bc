import { until } from '@stratalog/harness';

const LIMIT_MS = 120_000;
const POLL_MS = 200;
const SEARCH = { input: '*', entity: 'dataset', start: 0, count: 0 };

/**
 * Waits until the proxy reports a ready instance for every role of the catalog, and until a search is
 * answered. It only reads: the catalog belongs to its user, and a write would stay in searches, histories and
 * topics.
 *
 * **Errors**: rejects with the missing parts after two minutes, and when `signal` aborts.
 */
export async function untilReady(url: string, token: string, signal: AbortSignal): Promise<void> {
  let missing: string | undefined;
  const isReady = async (): Promise<boolean> => (missing = await whatIsMissing(url, token)) === undefined;
  if (await until(isReady, { limitMs: LIMIT_MS, pollMs: POLL_MS, signal })) return;
  throw new Error(`the catalog is not ready after two minutes: ${String(missing)}`);
}

async function whatIsMissing(url: string, token: string): Promise<string | undefined> {
  const health = await fetch(`${url}/health`);
  const text = await health.text();
  if (health.status !== 200) return text;
  const search = await fetch(`${url}/entities?action=search`, {
    method: 'POST',
    body: JSON.stringify(SEARCH),
    headers: { authorization: `Bearer ${token}` },
  });
  const answer = await search.text();
  return search.status === 200 ? undefined : `a search is answered ${String(search.status)}: ${answer}`;
}
