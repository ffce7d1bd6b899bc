/** The amounts and durations of a reading bench. */
export interface ReadSizes {
  /** Each has its history. */
  readonly entities: number;
  readonly versions: number;
  readonly warmSeconds: number;
  readonly readSeconds: number;
}

export const READ_FULL: ReadSizes = { entities: 64, versions: 1_000, warmSeconds: 1, readSeconds: 5 };

/** Enough to run every case; its figures mean nothing. */
export const READ_QUICK: ReadSizes = { entities: 4, versions: 60, warmSeconds: 0.1, readSeconds: 0.2 };
