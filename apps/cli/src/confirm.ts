import { CommandFailure, EXIT } from './exit-code';
import { printable } from './output/printable';
import type { Terminal } from './terminal';

export interface ConfirmOptions {
  /** The action, as a sentence without its full stop. */
  readonly what: string;
  /** True when the command line confirms it already. */
  readonly isConfirmed: boolean;
}

/**
 * Returns when the user confirms an action that cannot be undone.
 *
 * **Errors**: {@link CommandFailure} when the user declines, or when no user can answer.
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
