import { InvalidRequestError } from '@stratalog/domain';
import { isJsonObject, parseUntrustedJson, stringifyJson, type JsonObject } from '@stratalog/json';
import { readDefinition } from './find-test-faults';

/** A test as a file has it. */
export interface TestFile {
  /** The value of `testInfo`. */
  readonly info: JsonObject;
  /** The text of its definition. */
  readonly definition: string;
}

/**
 * Reads a file with one test: name, category, description, and the definition as an object, which people can edit. A value
 * of `testInfo`, whose definition is a text, is read too.
 *
 * **Errors**: `InvalidRequestError` when the text is no such file.
 */
export function readTestFile(text: string): TestFile {
  const info = parseFile(text);
  const written = readDefinition(info);
  if (written !== undefined) return { info, definition: written };
  const { definition } = info;
  if (!isJsonObject(definition)) {
    throw new InvalidRequestError(
      'the member "definition" is no object: a file has the members name, category and definition',
    );
  }
  const json = stringifyJson(definition);
  return { info: { ...info, definition: { type: 'JSON', json } }, definition: json };
}

function parseFile(text: string): JsonObject {
  let value;
  try {
    value = parseUntrustedJson(text);
  } catch (error) {
    throw new InvalidRequestError(`not JSON: ${String((error as { message?: unknown }).message)}`);
  }
  if (!isJsonObject(value)) throw new InvalidRequestError('no JSON object');
  return value;
}
