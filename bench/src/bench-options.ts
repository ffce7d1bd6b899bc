export interface BenchOptions {
  readonly quick: boolean;
  /** For search: the number of datasets; absent: 100,000. For pages: those besides the demo; absent: none. */
  readonly entities?: number;
  /** For graph: the number of edges in addition to those that are followed; absent: 100,000. */
  readonly edges?: number;
  /** For timeseries: the number of stored values; absent: those of one table and of 30 days of others. */
  readonly timeseriesValues?: number;
  /** The folder for CPU profiles of the catalog process, if there is one. */
  readonly profileFolder?: string;
}
