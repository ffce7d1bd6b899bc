import type { WriteWorkload } from '../workload/write-workload';
import { toBody, withConnections } from './http-connection';
import { toFigures, type LoadFigures } from './load-figures';
import { closedLoop, forSeconds, pacedLoop, type Exchange } from './loops';
import {
  readAspectRequest,
  readEntityRequest,
  searchRequest,
  toRequest,
  type CatalogRequest,
} from './requests';

export interface ReadLoad {
  readonly url: string;
  /** `entity`: all latest aspects of a urn. `version`: one stored version of one aspect. */
  readonly kind: 'entity' | 'version';
  readonly connections: number;
  readonly seconds: number;
  /** Absent: the highest rate of the catalog. */
  readonly rate?: number;
}

/** Reads the writes of a workload, chosen evenly. */
export function readTimeseries(workload: WriteWorkload, load: ReadLoad): Promise<LoadFigures> {
  const next = (): Exchange => {
    const { urn, version } = workload.anyVersion();
    const request = load.kind === 'entity' ? readEntityRequest(urn) : readAspectRequest(urn, version);
    return { request, onAnswer: toBody };
  };
  return readPaced(load, next);
}

/** The address, connections, duration and rate of a read load. */
export type RatedLoad = Pick<ReadLoad, 'url' | 'connections' | 'seconds' | 'rate'>;

/** Reads one thing after another, at a rate or as fast as they are answered. */
export function readPaced(
  { url, connections: count, seconds, rate }: RatedLoad,
  next: () => Exchange,
): Promise<LoadFigures> {
  return withConnections(url, count, async (connections) => {
    const loop = () =>
      rate === undefined
        ? closedLoop({ connections, next: forSeconds(seconds, next) })
        : pacedLoop({ connections, rate, seconds, next });
    return (await toFigures(loop)).figures;
  });
}

export interface AskLoad {
  readonly url: string;
  readonly connections: number;
  readonly requests: readonly CatalogRequest[];
}

/** Sends each request once, each connection taking the next one as soon as it is free. */
export function askAll({ url, connections: count, requests }: AskLoad): Promise<LoadFigures> {
  return withConnections(url, count, async (connections) => {
    const left = requests.values();
    const next = (): Exchange | undefined => {
      const { value } = left.next();
      return value === undefined ? undefined : { request: toRequest(value), onAnswer: toBody };
    };
    return (await toFigures(() => closedLoop({ connections, next }))).figures;
  });
}

export interface SearchLoad {
  readonly url: string;
  readonly connections: number;
  readonly inputs: readonly string[];
}

export interface SearchFigures {
  readonly figures: LoadFigures;
  /** One for each input, in order. */
  readonly searches: readonly { readonly ms: number; readonly total: number }[];
}

/** Searches for each input once, each connection taking the next one as soon as it is free. */
export function searchAll({ url, connections: count, inputs }: SearchLoad): Promise<SearchFigures> {
  return withConnections(url, count, async (connections) => {
    const searches: { ms: number; total: number }[] = [];
    let at = 0;
    const next = (): Exchange | undefined => {
      const own = at++;
      const input = inputs[own];
      if (input === undefined) return undefined;
      return {
        request: searchRequest(input),
        onAnswer: (answer, startMs) => {
          const ms = performance.now() - startMs;
          const total = Number(/"numEntities":(\d+)/.exec(toBody(answer))?.[1]);
          searches[own] = { ms, total };
        },
      };
    };
    const { figures } = await toFigures(() => closedLoop({ connections, next }));
    return { figures, searches };
  });
}
