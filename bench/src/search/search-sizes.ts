import type { BenchOptions } from '../bench-options';

/** The amounts of a search bench. */
export interface SearchSizes {
  readonly datasets: number;
  /** Queries of each kind that are sorted into the classes. */
  readonly candidatesPerKind: number;
  readonly queriesPerClass: number;
  readonly broadQueries: number;
  /** Requests of each kind in addition to plain words. */
  readonly discoveryRequests: number;
}

const FULL: SearchSizes = {
  datasets: 100_000,
  candidatesPerKind: 400,
  queriesPerClass: 200,
  broadQueries: 40,
  discoveryRequests: 64,
};

/** Enough to run every case; its figures mean nothing. */
const QUICK: SearchSizes = {
  datasets: 500,
  candidatesPerKind: 20,
  queriesPerClass: 10,
  broadQueries: 5,
  discoveryRequests: 5,
};

/** The sizes of a run: quick, or full with that many datasets. */
export function chooseSizes({ quick, entities }: Pick<BenchOptions, 'quick' | 'entities'>): SearchSizes {
  if (quick) return QUICK;
  return entities === undefined ? FULL : { ...FULL, datasets: entities };
}
