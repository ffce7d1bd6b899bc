import { CommandFailure, EXIT } from './exit-code';
import { printable } from './output/printable';
import type { Terminal } from './terminal';

export interface ConfirmOptions {
  /** What will be done, as a sentence without its full stop. */
  readonly what: string;
  /** True when the command line says so already. */
  readonly isConfirmed: boolean;
}

/**
 * Returns when the user wants what cannot be undone.
 *
 * **Errors**: {@link CommandFailure} when the user does not, or when nobody can be asked.
 */
export async function confirm({ what, isConfirmed }: ConfirmOptions, terminal: Terminal): Promise<void> {
  if (isConfirmed) return;
  if (terminal.ask === undefined) {
    throw new CommandFailure(
      `${what}. That cannot be undone: --yes does it, --dry-run only shows it`,
      EXIT.usage,
    );
  }
  const answer = await terminal.ask(`${printable(what)}. That cannot be undone. Type yes to do it: `);
  if (answer.trim() !== 'yes') throw new CommandFailure('nothing was done', EXIT.rejected);
}
