import type { Command } from 'commander';
import { bashScript } from './bash-script';
import { fishScript } from './fish-script';
import { listPlaces } from './list-places';
import { zshScript } from './zsh-script';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/**
 * Generates a shell script that completes the commands of a program and their options by itself, urns and entity types by
 * the hidden command `complete`, and file names elsewhere.
 */
export function completionScript(shell: Shell, program: Command): string {
  const places = listPlaces(program);
  switch (shell) {
    case 'bash':
      return bashScript(program.name(), places);
    case 'zsh':
      return zshScript(program.name(), places);
    case 'fish':
      return fishScript(program.name(), places);
  }
}
