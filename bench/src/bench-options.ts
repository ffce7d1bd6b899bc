export interface BenchOptions {
  readonly quick: boolean;
  /** The folder for CPU profiles of the catalog process, if there is one. */
  readonly profileFolder?: string;
}
