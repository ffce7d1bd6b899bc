/** What the command line tells the shell. */
export const EXIT = {
  /** Everything that was asked for happened. */
  ok: 0,
  /** The catalog rejected something, or does not hold what was asked for. */
  rejected: 1,
  /** The command itself makes no sense: unknown option, wrong number, unreadable file. */
  usage: 2,
  /** No catalog answered, or it stayed unavailable for longer than the retries last. */
  unreachable: 3,
  /** Stopped by Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** How a command that has run tells its exit code. */
export type Settle = (exit: ExitCode) => void;

/** Ends a command with one line on stderr, which says what happened and what to do about it. */
export class CommandFailure extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode,
  ) {
    super(message);
    this.name = 'CommandFailure';
  }
}
