export interface BenchOptions {
  readonly quick: boolean;
  /** Where CPU profiles of the catalog process are put, if anywhere. */
  readonly profileFolder?: string;
}
