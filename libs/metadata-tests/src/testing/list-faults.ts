import { stringifyJson, type JsonValue } from '@stratalog/json';
import { loadShippedModel } from './shipped-model';
import { compileDefinition } from '../definition/compile-test';

export const registry = await loadShippedModel();

/** The faults of a definition about datasets with these rules, as lines. */
export function listFaults(rules: JsonValue, on: JsonValue = { types: ['dataset'] }): readonly string[] {
  return listFaultsInText(stringifyJson({ on, rules }));
}

export function listFaultsInText(text: string): readonly string[] {
  const compiled = compileDefinition(registry, text);
  return compiled.kind === 'faulty' ? compiled.faults.map(({ path, reason }) => `${path} ${reason}`) : [];
}
