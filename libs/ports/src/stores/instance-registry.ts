/** The report of a running process of the catalog about itself. */
export interface InstanceReport {
  /** Unique for each start of a process. */
  readonly id: string;
  /** Name of the program: `writer`. */
  readonly app: string;
  /** Names of the stages that it runs. */
  readonly roles: readonly string[];
  /** Address on which the process listens. */
  readonly address: string;
  /** Name of the machine. */
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  /** Status of the health report. */
  readonly status: string;
  /** Per role, the number of records of its log that no instance has handled; absent where it is unknown. */
  readonly lag: Readonly<Record<string, number>>;
}

export interface RegisteredInstance extends InstanceReport {
  /** Time since the last report of the instance. */
  readonly seenMsAgo: number;
}

/** Lists every running process of a catalog, on every machine. */
export interface InstanceRegistry {
  /**
   * Stores a report and returns the reports of all instances, including those that ended without `leave`.
   *
   * **Order and repeats**: a report replaces the former one of its instance, and that of an earlier start at the same
   * address. A report expires after one hour.
   *
   * **Errors**: `UnavailableError`.
   */
  report(report: InstanceReport): Promise<readonly RegisteredInstance[]>;

  /** Removes the report of an instance that shuts down. */
  leave(id: string): Promise<void>;
}
