import { loadModel, formatModelLines } from '@stratalog/registry';
import { EXIT, type ExitCode } from '../../exit-code';
import { parseModelFolders } from '../../model-folders';
import { prettyJson } from '../../output/pretty-json';
import type { Terminal } from '../../terminal';

/** Prints the model as one line for each entity, aspect and type, to store and to compare. */
export async function modelLinesCommand(
  { isJson }: { readonly isJson: boolean },
  terminal: Terminal,
): Promise<ExitCode> {
  const registry = await loadModel({ folders: parseModelFolders(terminal) });
  const lines = formatModelLines(registry);
  terminal.stdout.write(`${isJson ? prettyJson([...lines]) : lines.join('\n')}\n`);
  return EXIT.ok;
}
