/** How much a search bench does. */
export interface SearchSizes {
  readonly datasets: number;
  /** Queries of each kind that are sorted into the classes. */
  readonly candidatesPerKind: number;
  readonly queriesPerClass: number;
  readonly broadQueries: number;
}

export const FULL: SearchSizes = {
  datasets: 100_000,
  candidatesPerKind: 400,
  queriesPerClass: 200,
  broadQueries: 40,
};

/** Enough to see that every case runs; its figures mean nothing. */
export const QUICK: SearchSizes = {
  datasets: 500,
  candidatesPerKind: 20,
  queriesPerClass: 10,
  broadQueries: 5,
};
