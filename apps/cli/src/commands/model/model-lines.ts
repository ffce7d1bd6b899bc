import { loadModel, formatModelLines } from '@stratalog/registry';
import { EXIT, type ExitCode } from '../../exit-code';
import { parseModelFolders } from '../../model-folders';
import type { Terminal } from '../../terminal';

/** Prints the model as one line for each entity, aspect and type, to store and to compare. */
export async function modelLinesCommand(terminal: Terminal): Promise<ExitCode> {
  const registry = await loadModel({ folders: parseModelFolders(terminal) });
  terminal.stdout.write(`${formatModelLines(registry).join('\n')}\n`);
  return EXIT.ok;
}
