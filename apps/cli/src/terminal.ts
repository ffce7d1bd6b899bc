import type { Readable, Writable } from 'node:stream';

/** Everything that a command uses of its process. */
export interface Terminal {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** True when stderr is a screen, where a line can be overwritten. */
  readonly live: boolean;
  /** Width of the screen of stdout; undefined when it is none. */
  readonly columns?: number;
  /** The working folder. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asks the user and returns the typed line; absent without a user. */
  readonly ask?: (question: string) => Promise<string>;
  /** Aborted by Ctrl-C. */
  readonly interrupted: AbortSignal;
  /** Waits before another attempt; ends early, without an error, when the signal is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}
