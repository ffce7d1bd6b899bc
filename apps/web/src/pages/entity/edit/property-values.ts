import type { JsonObject, JsonValue } from '@stratalog/json';
import { isObject, list } from '../../../data/entity-card';

/** The values of a structured property as texts: each is stored under the name of its type. */
export function textsOf({ values }: JsonObject): readonly string[] {
  return list(values).flatMap((each) => (isObject(each) ? Object.values(each).flatMap(toTexts) : []));
}

function toTexts(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'number' || typeof value === 'bigint' ? [value.toString()] : [];
}

/** The texts as the property has its values. What is no number stays a text, which the catalog rejects with the reason. */
export function toValues(texts: readonly string[], isNumber: boolean): readonly JsonValue[] {
  return texts.map((text) =>
    isNumber && Number.isFinite(Number(text)) ? { double: Number(text) } : { string: text },
  );
}
