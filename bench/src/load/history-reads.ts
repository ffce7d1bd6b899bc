import { SeededRandom } from '@stratalog/harness';
import { makeSixAspects } from '../workload/make-aspects';
import type { WriteWorkload } from '../workload/write-workload';
import { toBody, withConnections, type HttpConnection } from './http-connection';
import type { LoadFigures } from './load-figures';
import type { Exchange } from './loops';
import { readPaced, type RatedLoad } from './read-loads';
import {
  batchRequest,
  readAspectRequest,
  readEntityAtRequest,
  readEntityRequest,
  readVersionsRequest,
  writeRequest,
} from './requests';

/** A kind of read: an entity with ten aspects, a version, a page of versions, an entity at a time. */
export type HistoryRead = 'entity' | 'version' | 'range' | 'asOf';
export const VERSIONS_PER_PAGE = 50;

/** Entities with ten aspects, of which one has a history. */
export interface Histories {
  readonly urns: readonly string[];
  readonly versions: number;
  /** The first version existed at this time, on the clock that the catalog has too. */
  readonly fromMs: number;
  readonly toMs: number;
}

export interface HistoryLoad extends RatedLoad {
  readonly histories: Histories;
  readonly kind: HistoryRead;
}

const SEED = 7;

/** Writes entities with ten aspects, and version after version of one of them. */
export function writeHistories(
  workload: WriteWorkload,
  load: { readonly url: string; readonly entities: number; readonly versions: number },
): Promise<Histories> {
  return withConnections(load.url, load.entities, async (connections) => {
    const first = workload.reserve(load.entities);
    const write = async (connection: HttpConnection, at: number): Promise<string> => {
      const planned = workload.writeOf(first + at);
      const { urn } = planned;
      toBody(
        await connection.exchange(
          batchRequest(makeSixAspects(planned).map((aspect) => ({ urn, ...aspect }))),
        ),
      );
      return urn;
    };
    const urns = await Promise.all(connections.map(write));
    const fromMs = Date.now();
    await Promise.all(
      connections.map(async (connection, at) => {
        for (let version = 2; version <= load.versions; version++) {
          const { urn, value } = workload.writeOf(first + at);
          toBody(await connection.exchange(writeRequest(urn, value)));
        }
      }),
    );
    return { urns, versions: load.versions, fromMs, toMs: Date.now() };
  });
}

/** Reads histories, chosen evenly over entities, versions and times. */
export function readHistories(load: HistoryLoad): Promise<LoadFigures> {
  const { kind } = load;
  const { urns, versions, fromMs, toMs } = load.histories;
  const random = new SeededRandom(SEED);
  const next = (): Exchange => {
    const urn = urns[random.below(urns.length)] ?? '';
    const version = 1 + random.below(versions);
    return {
      request: toRequest(kind, { urn, version, timeMs: fromMs + random.below(toMs - fromMs + 1) }),
      onAnswer: toBody,
    };
  };
  return readPaced(load, next);
}

interface Place {
  readonly urn: string;
  readonly version: number;
  readonly timeMs: number;
}

function toRequest(kind: HistoryRead, { urn, version, timeMs }: Place): string {
  switch (kind) {
    case 'entity':
      return readEntityRequest(urn);
    case 'version':
      return readAspectRequest(urn, version);
    case 'range':
      return readVersionsRequest(urn, version, version + VERSIONS_PER_PAGE - 1);
    case 'asOf':
      return readEntityAtRequest(urn, timeMs);
  }
}
