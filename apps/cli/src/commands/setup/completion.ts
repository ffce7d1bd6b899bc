import { Argument, type Command } from 'commander';
import { EXIT, type SetExitCode } from '../../exit-code';
import { completionScript, SHELLS, type Shell } from '../../completion/completion-script';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

/** Adds `completion`. */
export function addCompletionCommand(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  program
    .command('completion')
    .description('print a script that completes commands, options, urns and entity types in your shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText(
      'after',
      `
Examples:
  source <(${PROGRAM} completion bash)                                    # in ~/.bashrc
  source <(${PROGRAM} completion zsh)                                     # in ~/.zshrc, behind compinit
  ${PROGRAM} completion fish > ~/.config/fish/completions/${PROGRAM}.fish
`,
    )
    .action((shell: Shell) => {
      terminal.stdout.write(completionScript(shell, program));
      setExitCode(EXIT.ok);
    });
}
