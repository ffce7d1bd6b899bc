import { isJsonObject, parseJson, type JsonObject } from '@stratalog/json';

/** Reads the JSON object in an answer as it came. Undefined when the text is empty or no JSON object. */
export function jsonIn({ text }: { readonly text: string }): JsonObject | undefined {
  try {
    const body = parseJson(text);
    return isJsonObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}
