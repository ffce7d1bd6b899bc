/** What a running process of the catalog says of itself. */
export interface InstanceReport {
  /** Unique for each start of a process. */
  readonly id: string;
  /** The program: `writer`. */
  readonly app: string;
  /** The stages that it runs. */
  readonly roles: readonly string[];
  /** Where it listens. */
  readonly address: string;
  /** The name of its machine. */
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  /** The status of its health report. */
  readonly status: string;
  /** By role: the number of records of its log that nobody has dealt with; absent where it is not known. */
  readonly lag: Readonly<Record<string, number>>;
}

export interface RegisteredInstance extends InstanceReport {
  /** How long ago the instance reported. */
  readonly seenMsAgo: number;
}

/** Every running process of a catalog, wherever it runs. */
export interface InstanceRegistry {
  /**
   * Stores a report and answers the reports of all instances, also of those that ended without a word.
   *
   * **Order and repeats**: a report replaces the former one of its instance, and that of an earlier start at the same address. A
   * report that is an hour old is forgotten.
   *
   * **Errors**: `UnavailableError`.
   */
  report(report: InstanceReport): Promise<readonly RegisteredInstance[]>;

  /** Forgets an instance that ends in order. */
  leave(id: string): Promise<void>;
}
