import { until, type Exchange } from '@stratalog/harness';
import { formatPosition, maxOffsets, partitionOf, type Position } from '@stratalog/domain';
import type { CatalogClient } from '../catalog/catalog-client';
import { PARTITIONS } from '../catalog/start-catalog';
import type { Ledger } from '../ledger/ledger';
import { Violation } from '../ledger/violation';
import { datasetUrn } from './writer';
import { scaledLimit } from '../scaled-limit';

const LIMIT_MS = scaledLimit(60_000);
const PAUSE_MS = 100;

/** A urn of its own for each partition. */
const URNS = [...Array(PARTITIONS).keys()].map((partition) => {
  for (let attempt = 0; ; attempt++) {
    const urn = datasetUrn(`sentinel.${attempt}`);
    if (partitionOf(urn, PARTITIONS) === partition) return urn;
  }
});

export interface SentinelDeps {
  readonly client: CatalogClient;
  readonly ledger: Ledger;
  readonly signal: AbortSignal;
}

/**
 * Writes once into each partition, then searches and follows a relationship at that position. A partition
 * applies its log in order, so every earlier record is applied and in index and graph when this resolves.
 * Returns the number of changes by which the later one lags.
 *
 * **Errors**: `Violation` when a write or an answer does not arrive in time.
 */
export async function passSentinels(deps: SentinelDeps): Promise<number> {
  const positions = await Promise.all(URNS.map((urn) => writeOne(deps, urn)));
  const wanted = formatPosition(
    positions.reduce((all, position) => ({ ...all, seqs: maxOffsets(all.seqs, position.seqs) })),
  );
  const { client } = deps;
  const lags = await Promise.all([
    lagAt(deps, 'index', () => client.search(wanted)),
    lagAt(deps, 'graph', () => client.relationships(wanted)),
  ]);
  return Math.max(...lags);
}

function lagAt(deps: SentinelDeps, what: string, ask: () => Promise<Exchange>): Promise<number> {
  const failure = `the ${what} did not reach the position of an acknowledged write`;
  return within(deps, failure, async () => {
    const found = await ask();
    if (found.kind !== 'answered' || found.status >= 500) return undefined;
    if (found.status === 200) return Number(found.headers['x-stratalog-lag']);
    throw new Violation(what, `a question was rejected with ${found.status}: ${found.body.slice(0, 500)}`);
  });
}

function writeOne({ client, ledger, signal }: SentinelDeps, urn: string): Promise<Position> {
  return within(
    { client, ledger, signal },
    `no write into the partition of ${urn} was acknowledged`,
    async () => {
      const value = ledger.nextNumber();
      const result = await client.send({
        urn,
        aspectName: 'datasetProperties',
        inTurn: true,
        value,
        isAsync: false,
      });
      return result.kind === 'acknowledged' ? result.position : undefined;
    },
  );
}

async function within<T>(
  { signal }: SentinelDeps,
  failure: string,
  ask: () => Promise<T | undefined>,
): Promise<T> {
  const answer = await until(ask, { limitMs: LIMIT_MS, pollMs: PAUSE_MS, signal });
  if (answer === undefined) throw new Violation('progress', `${failure} within ${LIMIT_MS} ms`);
  return answer;
}
