import { loadModel } from '@stratalog/registry';
import { EXIT, type ExitCode } from '../../exit-code';
import { parseModelFolders } from '../../model-folders';
import { prettyJson } from '../../output/pretty-json';
import type { Terminal } from '../../terminal';

/**
 * Prints unknown definitions in the model of a catalog, then those without effect; exit code 1 when some are
 * unknown.
 */
export async function modelNotesCommand(isJson: boolean, terminal: Terminal): Promise<ExitCode> {
  const { warnings, notes } = await loadModel({ folders: parseModelFolders(terminal) });
  if (isJson) {
    const report = { notUnderstood: [...warnings], withoutEffect: [...notes] };
    terminal.stdout.write(`${prettyJson(report)}\n`);
  } else {
    for (const line of [...warnings, ...notes]) terminal.stdout.write(`${line}\n`);
    const [unknown, idle] = [String(warnings.length), String(notes.length)];
    terminal.stdout.write(`${unknown} not understood, ${idle} without effect here\n`);
  }
  return warnings.length === 0 ? EXIT.ok : EXIT.rejected;
}
