import { nearestName } from '@stratalog/domain';
import type { JsonValue } from '@stratalog/json';
import {
  loadModel,
  type AspectType,
  type EntityRegistry,
  type EntityType,
  type NamedSchema,
} from '@stratalog/registry';
import { CommandFailure, EXIT, type ExitCode } from '../../exit-code';
import { parseModelFolders } from '../../model-folders';
import { aspectJson, entityJson, modelJson, typeJson } from '../../output/model-json';
import { aspectText, entityText, modelText, typeDeclarationText } from '../../output/model-text';
import { prettyJson } from '../../output/pretty-json';
import type { Terminal } from '../../terminal';

/** Prints the size of the model and a list of its entities, or all definitions of one name. */
export async function modelShowCommand(
  name: string | undefined,
  { isJson }: { readonly isJson: boolean },
  terminal: Terminal,
): Promise<ExitCode> {
  const registry = await loadModel({ folders: parseModelFolders(terminal) });
  const { stdout, columns } = terminal;
  if (name === undefined) {
    stdout.write(isJson ? `${prettyJson(modelJson(registry))}\n` : modelText(registry, columns));
    return EXIT.ok;
  }
  const meanings = findMeanings(name, registry);
  if (meanings.length === 0) {
    throw new CommandFailure(
      `the model has no entity, aspect or type ${name}${suggestName(name, registry)}; "model show" lists the entities`,
      EXIT.rejected,
    );
  }
  stdout.write(
    isJson
      ? `${prettyJson(meanings.map((each) => toJson(each, registry)))}\n`
      : meanings.map((each) => toText(each, registry, columns)).join('\n'),
  );
  return EXIT.ok;
}

function suggestName(name: string, { entityTypes, aspects }: EntityRegistry): string {
  const known = [...entityTypes, ...aspects].map((each) => each.name);
  const near = nearestName(name, known);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

type Meaning =
  | { readonly entity: EntityType }
  | { readonly aspect: AspectType }
  | { readonly type: NamedSchema };

/**
 * One name may be that of an entity and of an aspect, such as `container`. A type matches by its full name or
 * its last part.
 */
function findMeanings(name: string, registry: EntityRegistry): readonly Meaning[] {
  const entity = registry.entityType(name);
  const aspect = registry.aspect(name);
  const found = [
    ...(entity === undefined ? [] : [{ entity }]),
    ...(aspect === undefined ? [] : [{ aspect }]),
  ];
  if (found.length > 0) return found;
  return registry.types
    .filter((type) => type.name === name || type.name.endsWith(`.${name}`))
    .map((type) => ({ type }));
}

function toText(meaning: Meaning, registry: EntityRegistry, columns: number | undefined): string {
  if ('entity' in meaning) return entityText(meaning.entity, columns);
  if ('aspect' in meaning) return aspectText(meaning.aspect, registry, columns);
  return typeDeclarationText(meaning.type, columns);
}

function toJson(meaning: Meaning, registry: EntityRegistry): JsonValue {
  if ('entity' in meaning) return entityJson(meaning.entity);
  if ('aspect' in meaning) return aspectJson(meaning.aspect, registry);
  return typeJson(meaning.type);
}
