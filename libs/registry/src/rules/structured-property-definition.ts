import type { MemberFault } from '@stratalog/domain';
import { isJsonObject, parseJson, stringifyJson, type JsonObject, type JsonValue } from '@stratalog/json';
import type { StoredWrite } from './stored-rule';
import {
  listAllowedTypes,
  listAt,
  nameOfType,
  toText,
  toPlainValue,
  typeOfValues,
} from './structured-property-type';

const VERSION = /^[0-9]{14}$/;

/**
 * Finds the faults of a definition, and what it changes of the stored one that could break assigned values. A higher `version` permits such changes,
 * except another name.
 *
 * **Source**: `docs/adr/0163-references-have-their-types.md`.
 */
export function findDefinitionFaults({ value, current }: StoredWrite): readonly MemberFault[] {
  const definition = parseJson(value);
  const before = current === undefined ? undefined : parseJson(current);
  if (!isJsonObject(definition)) return [];
  return [...findOwnFaults(definition), ...(isJsonObject(before) ? findBreaks(before, definition) : [])];
}

function findOwnFaults(definition: JsonObject): readonly MemberFault[] {
  const { qualifiedName, version } = definition;
  const faults: MemberFault[] = [];
  if (/\s/.test(toText(qualifiedName))) faults.push({ path: '/qualifiedName', reason: 'has a blank' });
  if (version !== undefined && !VERSION.test(toText(version))) {
    faults.push({ path: '/version', reason: 'is not 14 digits of a date and time' });
  }
  const type = typeOfValues(definition);
  for (const [at, each] of listAt(definition, 'allowedValues').entries()) {
    const fault = type.fault(toPlainValue(isJsonObject(each) ? (each.value ?? null) : null));
    if (fault !== undefined) faults.push({ path: `/allowedValues/${String(at)}/value`, reason: fault });
  }
  return faults;
}

function findBreaks(before: JsonObject, after: JsonObject): readonly MemberFault[] {
  const renamed: readonly MemberFault[] =
    before.qualifiedName === after.qualifiedName
      ? []
      : [{ path: '/qualifiedName', reason: `may not change; it is ${toText(before.qualifiedName)}` }];
  if (toText(after.version) > toText(before.version)) return renamed;
  const broken: MemberFault[] = [];
  const breaks = (path: string, reason: string): void => {
    broken.push({
      path,
      reason: `${reason}, which could break assigned values; a higher version permits it`,
    });
  };
  if (nameOfType(toText(before.valueType)) !== nameOfType(toText(after.valueType))) {
    breaks('/valueType', `changes from ${toText(before.valueType)}`);
  }
  if (before.cardinality === 'MULTIPLE' && after.cardinality !== 'MULTIPLE') {
    breaks('/cardinality', 'changes from MULTIPLE to SINGLE');
  }
  const lost = (
    now: readonly string[] | undefined,
    then: readonly string[] | undefined,
  ): string | undefined => {
    if (now === undefined) return undefined;
    if (then === undefined) return 'restricts what was not restricted';
    const gone = then.filter((each) => !now.includes(each));
    return gone.length === 0 ? undefined : `no longer has ${gone.slice(0, 5).join(', ')}`;
  };
  const lists = [
    ['/allowedValues', lost(allowedTexts(after), allowedTexts(before))],
    ['/typeQualifier/allowedTypes', lost(listAllowedTypes(after), listAllowedTypes(before))],
    ['/entityTypes', lost(typeNames(after), typeNames(before))],
  ] as const;
  for (const [path, reason] of lists) if (reason !== undefined) breaks(path, reason);
  return [...renamed, ...broken];
}

function typeNames(definition: JsonObject): readonly string[] {
  return listAt(definition, 'entityTypes').map((type) => nameOfType(toText(type)));
}

function allowedTexts(definition: JsonObject): readonly string[] | undefined {
  if (definition.allowedValues === undefined) return undefined;
  return listAt(definition, 'allowedValues').map((each: JsonValue) =>
    stringifyJson(isJsonObject(each) ? toPlainValue(each.value ?? null) : each),
  );
}
