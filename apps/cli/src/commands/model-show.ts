import { nearestName } from '@stratalog/model';
import { loadModel, type EntityRegistry } from '@stratalog/registry';
import { CommandFailure, EXIT, type ExitCode } from '../exit-code';
import { modelFoldersOf } from '../model-folders';
import { aspectText, entityText, modelText, typeDeclarationText } from '../output/model-text';
import type { Terminal } from '../terminal';

/** Prints what the model holds, in numbers and as a list of its entities, or all that it says about one name. */
export async function modelShowCommand(name: string | undefined, terminal: Terminal): Promise<ExitCode> {
  const registry = await loadModel({ folders: modelFoldersOf(terminal) });
  const texts =
    name === undefined ? [modelText(registry, terminal.columns)] : meaningsOf(name, registry, terminal);
  if (texts.length === 0) {
    throw new CommandFailure(
      `the model has no entity, aspect or type ${String(name)}${nearNames(name, registry)}; "model show" lists the entities`,
      EXIT.refused,
    );
  }
  terminal.stdout.write(texts.join('\n'));
  return EXIT.ok;
}

function nearNames(name: string | undefined, { entityTypes, aspects }: EntityRegistry): string {
  const known = [...entityTypes, ...aspects].map((each) => each.name);
  const near = name === undefined ? undefined : nearestName(name, known);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

/** One name may be that of an entity and of an aspect, such as `container`. A type is known by its full name or its last part. */
function meaningsOf(name: string, registry: EntityRegistry, { columns }: Terminal): readonly string[] {
  const entity = registry.entityType(name);
  const aspect = registry.aspect(name);
  const found = [
    ...(entity === undefined ? [] : [entityText(entity, columns)]),
    ...(aspect === undefined ? [] : [aspectText(aspect, registry, columns)]),
  ];
  if (found.length > 0) return found;
  return registry.types
    .filter((type) => type.name === name || type.name.endsWith(`.${name}`))
    .map((type) => typeDeclarationText(type, columns));
}
