import { until } from '@stratalog/harness';
import type { CatalogClient } from '../catalog/catalog-client';
import type { Ledger } from '../ledger/ledger';
import { Violation } from '../ledger/violation';
import { datasetUrn } from '../load/writer';
import type { ServerName } from './servers';
import { scaledLimit } from '../scaled-limit';

export interface WorkDeps {
  readonly client: CatalogClient;
  readonly ledger: Ledger;
  readonly signal: AbortSignal;
}

const LIMIT_MS = scaledLimit(30_000);
const POLL_MS = 100;
const URN = datasetUrn('meanwhile');
const ASPECT = 'datasetProperties';

/**
 * Expects the answers that are possible while a server is unreachable: without Kafka reads, without the
 * engine writes and reads, without PostgreSQL asynchronous writes. Call it once before with every server
 * running.
 *
 * **Errors**: `Violation` when an answer is missing.
 */
export async function expectWork(deps: WorkDeps, away: ServerName | undefined): Promise<void> {
  const isWritable = away !== 'kafka';
  const isReadable = away !== 'postgres';
  if (isWritable) await within(deps, `a write without ${away ?? 'fault'}`, () => write(deps, !isReadable));
  if (isReadable) await within(deps, `a read without ${away ?? 'fault'}`, () => read(deps));
}

async function write({ client, ledger }: WorkDeps, isAsync: boolean): Promise<true | undefined> {
  const send = { urn: URN, aspectName: ASPECT, inTurn: true, value: ledger.nextNumber(), isAsync } as const;
  return (await client.send(send)).kind === 'acknowledged' ? true : undefined;
}

async function read({ client }: WorkDeps): Promise<true | undefined> {
  const answer = await client.read(URN, ASPECT, 1);
  return answer.kind === 'answered' && answer.status === 200 ? true : undefined;
}

async function within(
  { signal }: WorkDeps,
  what: string,
  ask: () => Promise<true | undefined>,
): Promise<void> {
  const done = await until(ask, { limitMs: LIMIT_MS, pollMs: POLL_MS, signal });
  if (done === undefined) throw new Violation('meanwhile', `${what} was not answered within ${LIMIT_MS} ms`);
}
