import { Command, CommanderError, InvalidArgumentError } from 'commander';

/** The result of a command line without work: its help, or nothing because it is wrong. */
export interface Usage {
  readonly kind: 'usage';
  /** The exit status. */
  readonly status: 0 | 2;
  readonly text: string;
}

/**
 * Parses the command line of a tool. `declare` adds name, options and commands, whose actions call `choose`
 * with what is to be done.
 */
export function parseTool<T>(
  args: readonly string[],
  declare: (tool: Command, choose: (chosen: T) => void) => void,
): T | Usage {
  const chosen: T[] = [];
  let text = '';
  const write = (part: string): void => {
    text += part;
  };
  const tool = new Command().helpCommand(false).exitOverride().allowExcessArguments(false);
  tool.configureOutput({ writeOut: write, writeErr: write });
  declare(tool, (one) => chosen.push(one));
  try {
    tool.parse(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { kind: 'usage', status: error.exitCode === 0 ? 0 : 2, text };
  }
  const [first] = chosen;
  if (first === undefined) throw new Error(`no action was declared for ${args.join(' ')}`);
  return first;
}

/** Prints the help or the fault; returns the exit status. */
export function answerUsage({ status, text }: Usage): number {
  (status === 0 ? process.stdout : process.stderr).write(text);
  return status;
}

/** Makes the parser of an option that takes a whole number. */
export function integerFrom(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= low && value <= high) return value;
    throw new InvalidArgumentError(`Allowed: an integer from ${low} to ${high}.`);
  };
}

/** The parser of an option that names a folder. */
export function folderName(text: string): string {
  if (text === '') throw new InvalidArgumentError('Allowed: a folder.');
  return text;
}
