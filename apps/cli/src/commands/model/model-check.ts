import { loadModel, compareModels, toModelShape, type ModelShape } from '@stratalog/registry';
import { EXIT, type ExitCode } from '../../exit-code';
import { SHIPPED } from '../../model-folders';
import type { Terminal } from '../../terminal';
import { prettyJson } from '../../output/pretty-json';
import { textTable } from '../../output/text-table';

/** Prints the changes between two models, the breaking ones first. */
export async function modelCheckCommand(
  old: string,
  next: string,
  { isExtension, isJson }: { readonly isExtension: boolean; readonly isJson: boolean },
  terminal: Terminal,
): Promise<ExitCode> {
  const shapeIn = async (folder: string): Promise<ModelShape> =>
    toModelShape(await loadModel({ folders: isExtension ? [SHIPPED, folder] : [folder] }));
  const changes = compareModels(await shapeIn(old), await shapeIn(next));
  const breaking = changes.filter(({ isBreaking }) => isBreaking);
  const compatible = changes.filter(({ isBreaking }) => !isBreaking);
  const told = [...breaking, ...compatible];
  if (isJson) {
    const listed = told.map(({ isBreaking, place, what }) => ({ isBreaking, place, what }));
    const report = { breaking: breaking.length, compatible: compatible.length, changes: listed };
    terminal.stdout.write(`${prettyJson(report)}\n`);
  } else {
    const kind = (isBreaking: boolean): string => (isBreaking ? 'breaking' : 'compatible');
    terminal.stdout.write(
      textTable(told.map(({ isBreaking, place, what }) => [kind(isBreaking), place, what])) +
        `${String(breaking.length)} breaking, ${String(compatible.length)} compatible\n`,
    );
  }
  return breaking.length === 0 ? EXIT.ok : EXIT.rejected;
}
