import type { MemberFault } from '@stratalog/domain';
import { isJsonObject, type JsonValue } from '@stratalog/json';
import type { EntityRegistry } from '@stratalog/registry';
import { compileDefinition } from './compile-test';

/** The aspect of a test that has its definition. */
export const TEST_INFO = 'testInfo';
const PATH = '/definition/json';

/** Finds faults of a value of `testInfo` beyond its schema: those of its definition. A draft has none. */
export function findTestFaults(registry: EntityRegistry, testInfo: JsonValue): readonly MemberFault[] {
  const text = readDefinition(testInfo);
  if (text === undefined) return [];
  const compiled = compileDefinition(registry, text);
  if (compiled.kind !== 'faulty') return [];
  return compiled.faults.map(({ path, reason }) => ({ path: `${PATH}${path}`, reason }));
}

/** Reads the text of the definition from a value of `testInfo`. */
export function readDefinition(testInfo: JsonValue): string | undefined {
  const definition = isJsonObject(testInfo) ? testInfo.definition : undefined;
  const text = isJsonObject(definition) ? definition.json : undefined;
  return typeof text === 'string' ? text : undefined;
}
