import { toLatencies, type Latencies } from '@stratalog/harness';
import type { PlannedWrite, WriteWorkload } from '../workload/write-workload';
import { ConnectionQueue } from './connection-queue';
import { toBody, headerOf, withConnections, type Answer, type HttpConnection } from './http-connection';
import { IndexAge } from './index-age';
import { toFigures, type LoadFigures } from './load-figures';
import { closedLoop, forSeconds, pacedLoop, type Exchange } from './loops';
import { searchRequest, writeRequest } from './requests';

export interface WriteLoad {
  readonly url: string;
  /** The address of earlier writes to the same catalog, where it has several. */
  readonly knownAs?: string;
  readonly connections: number;
  readonly seconds: number;
  readonly newShare: number;
}

/** Writes at the highest rate that the catalog acknowledges. */
export function writeClosed(workload: WriteWorkload, load: WriteLoad): Promise<LoadFigures> {
  return withConnections(load.url, load.connections, async (connections) => {
    const next = forSeconds(load.seconds, () => parseExchange(workload.next(load.newShare)));
    return (await toFigures(() => closedLoop({ connections, next }))).figures;
  });
}

/** Writes first values of new entities, until there are `count` entities. */
export function fill(workload: WriteWorkload, load: { url: string; count: number }): Promise<LoadFigures> {
  return withConnections(load.url, 64, async (connections) => {
    const next = (): Exchange | undefined =>
      workload.entityCount < load.count ? parseExchange(workload.newEntity()) : undefined;
    return (await toFigures(() => closedLoop({ connections, next }))).figures;
  });
}

export interface VersionFigures {
  readonly figures: LoadFigures;
  readonly firstTenth: Latencies;
  readonly lastTenth: Latencies;
}

/** Writes version after version of one new entity on each connection. */
export function writeVersions(
  workload: WriteWorkload,
  load: { readonly url: string; readonly entities: number; readonly versions: number },
): Promise<VersionFigures> {
  return withConnections(load.url, load.entities, async (connections) => {
    const first = workload.reserve(load.entities);
    const byVersion: number[][] = Array.from({ length: load.versions }, () => []);
    const sent = connections.map(() => 0);
    const next = (connection: number): Exchange | undefined => {
      const version = sent[connection] ?? 0;
      if (version >= load.versions) return undefined;
      sent[connection] = version + 1;
      const { request } = parseExchange(workload.writeOf(first + connection));
      return {
        request,
        onAnswer: (answer, startMs) => {
          toBody(answer);
          byVersion[version]?.push(performance.now() - startMs);
        },
      };
    };
    const { figures } = await toFigures(() => closedLoop({ connections, next }));
    const tenth = Math.ceil(load.versions / 10);
    return {
      figures,
      firstTenth: toLatencies(byVersion.slice(0, tenth).flat()),
      lastTenth: toLatencies(byVersion.slice(-tenth).flat()),
    };
  });
}

export interface PacedWriteLoad extends WriteLoad {
  readonly rate: number;
  /** `false` for a catalog without an index, which has no lag to watch. */
  readonly indexing?: boolean;
}

export interface AgedFigures {
  readonly figures: LoadFigures;
  /** Age of the oldest acknowledged change that was not searchable, sampled repeatedly. Milliseconds. */
  readonly agesMs: readonly number[];
}

const AGE_LOOK_MS = 200;
/** Matches nothing, so that reading the index's position costs next to nothing. */
const UNKNOWN_WORD = 'qqzzqqzz';

/** Writes at a given rate, and measures from outside how far the index falls behind, if there is one. */
export function writePacedWatchingIndex(workload: WriteWorkload, load: PacedWriteLoad): Promise<AgedFigures> {
  return withConnections(load.url, load.connections + 1, async ([watch, ...connections]) => {
    const age = new IndexAge();
    const agesMs: number[] = [];
    const next = (): Exchange => {
      const { request } = parseExchange(workload.next(load.newShare));
      return {
        request,
        onAnswer: (answer) => {
          toBody(answer);
          age.acknowledged(headerOf(answer, 'x-stratalog-position'), performance.now());
        },
      };
    };
    const over = new AbortController();
    const watching = load.indexing === false ? undefined : watchAge(watch, age, agesMs, over.signal);
    const { figures } = await toFigures(() => pacedLoop({ ...load, connections, next }));
    over.abort();
    await watching;
    return { figures, agesMs };
  });
}

async function watchAge(
  connection: HttpConnection | undefined,
  age: IndexAge,
  agesMs: number[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && connection !== undefined) {
    const askedMs = performance.now();
    const answer = await connection.exchange(searchRequest(UNKNOWN_WORD, { count: 1, isStrict: true }));
    toBody(answer);
    agesMs.push(age.ageAt(headerOf(answer, 'x-stratalog-position'), askedMs));
    await new Promise((resolve) => setTimeout(resolve, AGE_LOOK_MS));
  }
}

export interface SearchableFigures {
  readonly figures: LoadFigures;
  /** From the time at which a write was due to the answer of the search that found it. */
  readonly searchable: Latencies;
}

const PROBE_CONNECTIONS = 32;

/**
 * Writes at a given rate; every `sampleEvery`-th write is of a new entity with a unique word, and is searched
 * for at once.
 */
export function writeToSearchable(
  workload: WriteWorkload,
  probes: WriteWorkload,
  load: PacedWriteLoad & { readonly sampleEvery: number },
): Promise<SearchableFigures> {
  return withConnections(load.url, load.connections + PROBE_CONNECTIONS, async (all) => {
    const searchableMs: number[] = [];
    const found: Promise<void>[] = [];
    const searches = new ConnectionQueue(all.slice(load.connections));
    let count = 0;
    const next = (): Exchange => {
      if (++count % load.sampleEvery !== 0) return parseExchange(workload.next(load.newShare));
      const word = makeWord(probes.entityCount);
      const { request } = parseExchange(probes.newEntity(word));
      const onAnswer = (written: Answer, dueMs: number): void => {
        toBody(written);
        const search = searchRequest(word, { waitFor: headerOf(written, 'x-stratalog-position') });
        const done = searches.exchange(search).then((answer) => {
          if (!toBody(answer).includes('"numEntities":1,')) throw new Error(`${word} was not found`);
          searchableMs.push(performance.now() - dueMs);
        });
        // The end of the load reports a failure; until then nothing awaits this promise.
        done.catch(() => undefined);
        found.push(done);
      };
      return { request, onAnswer };
    };
    const connections = all.slice(0, load.connections);
    const { figures } = await toFigures(() => pacedLoop({ ...load, connections, next }));
    await Promise.all(found);
    return { figures, searchable: toLatencies(searchableMs) };
  });
}

/** Makes a word of letters only that no stemmer shortens, so that the analysis keeps it whole. */
function makeWord(count: number): string {
  return `probe${String(count).replace(/\d/g, (digit) => 'bcdfghklmn'[Number(digit)] ?? '')}x`;
}

function parseExchange({ urn, value }: PlannedWrite): Exchange {
  return { request: writeRequest(urn, value), onAnswer: toBody };
}
