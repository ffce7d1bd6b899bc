import { loadModel, modelChangesOf, modelShapeOf, type ModelShape } from '@stratalog/registry';
import { EXIT, type ExitCode } from '../exit-code';
import { SHIPPED } from '../model-folders';
import type { Terminal } from '../terminal';
import { textTable } from '../output/text-table';

/** Prints the changes between two models, those that break first. */
export async function modelCheckCommand(
  old: string,
  next: string,
  { isExtension }: { readonly isExtension: boolean },
  terminal: Terminal,
): Promise<ExitCode> {
  const shapeIn = async (folder: string): Promise<ModelShape> =>
    modelShapeOf(await loadModel({ folders: isExtension ? [SHIPPED, folder] : [folder] }));
  const changes = modelChangesOf(await shapeIn(old), await shapeIn(next));
  const breaking = changes.filter(({ isBreaking }) => isBreaking);
  const compatible = changes.filter(({ isBreaking }) => !isBreaking);
  terminal.stdout.write(
    textTable(
      [...breaking, ...compatible].map(({ isBreaking, place, what }) => [
        isBreaking ? 'breaking' : 'compatible',
        place,
        what,
      ]),
    ),
  );
  terminal.stdout.write(`${String(breaking.length)} breaking, ${String(compatible.length)} compatible\n`);
  return breaking.length === 0 ? EXIT.ok : EXIT.refused;
}
