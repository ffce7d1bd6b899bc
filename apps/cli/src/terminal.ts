import type { Readable, Writable } from 'node:stream';

/** All that a command touches of the process it runs in. */
export interface Terminal {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** True when stderr is a screen, where a line can be written over. */
  readonly live: boolean;
  /** Width of the screen that stdout is; undefined when it is none. */
  readonly columns?: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asks the user and answers with the line that was typed; absent when nobody sits there. */
  readonly ask?: (question: string) => Promise<string>;
  /** Aborted by Ctrl-C. */
  readonly interrupted: AbortSignal;
  /** Waits before another attempt; ends early, without an error, when the signal is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}
