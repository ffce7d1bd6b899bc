/** The exit codes of the command line. */
export const EXIT = {
  /** The command succeeded completely. */
  ok: 0,
  /** The catalog rejected a write, or does not hold the requested data. */
  rejected: 1,
  /** The command line is invalid: unknown option, wrong number, unreadable file. */
  usage: 2,
  /** No catalog answered, or it stayed unavailable for longer than the retries last. */
  unreachable: 3,
  /** Stopped by Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Receives the exit code of a command that has run. */
export type SetExitCode = (exit: ExitCode) => void;

/** Ends a command with one line on stderr, which names the fault and its remedy. */
export class CommandFailure extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode,
  ) {
    super(message);
    this.name = 'CommandFailure';
  }
}
