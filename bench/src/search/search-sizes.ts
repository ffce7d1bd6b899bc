/** The amounts of a search bench. */
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

/** Enough to run every case; its figures mean nothing. */
export const QUICK: SearchSizes = {
  datasets: 500,
  candidatesPerKind: 20,
  queriesPerClass: 10,
  broadQueries: 5,
};
