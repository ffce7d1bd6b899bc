export interface Machine {
  /** The value of `TMPDIR`. */
  readonly given: string | undefined;
  /** In bytes. */
  readonly freeMemory: number;
  /** The room of the folder in memory, in bytes. */
  readonly freeRoom: number;
  /** Whether programs in that folder may be executed. */
  readonly mayExecute: boolean;
}

export declare function chooseTemporaryFolder(machine?: Machine): string;
