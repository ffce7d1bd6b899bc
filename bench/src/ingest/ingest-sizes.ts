/** The amounts and durations of an ingest bench. */
export interface IngestSizes {
  readonly entities: number;
  readonly warmSeconds: number;
  /** How long servers in Java are written to before any measurement: their compilers work for minutes. */
  readonly serversWarmSeconds: number;
  /** How long they are written to and searched after that. */
  readonly searchesWarmSeconds: number;
  readonly floorSeconds: number;
  readonly writeSeconds: number;
  readonly searchableSeconds: number;
  readonly stepSeconds: number;
  readonly confirmSeconds: number;
  readonly firstStepRate: number;
  readonly steps: number;
  readonly versions: number;
  readonly readSeconds: number;
  /** How long the catch-up of the index is observed. */
  readonly catchUpSeconds: number;
}

export const FULL: IngestSizes = {
  entities: 20_000,
  warmSeconds: 3,
  serversWarmSeconds: 180,
  searchesWarmSeconds: 120,
  floorSeconds: 6,
  writeSeconds: 15,
  searchableSeconds: 15,
  stepSeconds: 8,
  confirmSeconds: 12,
  firstStepRate: 1_000,
  steps: 4,
  versions: 1_000,
  readSeconds: 4,
  catchUpSeconds: 10,
};

/** Enough to run every case; its figures mean nothing. */
export const QUICK: IngestSizes = {
  entities: 200,
  warmSeconds: 0.2,
  serversWarmSeconds: 0.5,
  searchesWarmSeconds: 0.5,
  floorSeconds: 0.3,
  writeSeconds: 0.5,
  searchableSeconds: 0.5,
  stepSeconds: 0.5,
  confirmSeconds: 0.5,
  firstStepRate: 100,
  steps: 1,
  versions: 10,
  readSeconds: 0.2,
  catchUpSeconds: 0.2,
};

/** The share of writes to new entities in the mix. */
export const NEW_SHARE = 0.2;
export const WRITE_CONNECTIONS = 64;
export const READ_CONNECTIONS = 16;
