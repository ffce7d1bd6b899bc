import { isJsonObject, type JsonValue } from '@stratalog/json';
import type { ModelWarnings, OptionNames } from '../annotations/model-warnings';
import { dereferenced, type FieldSchema, type NamedSchema, type Schema } from '../schema/schema';
import { errorAt } from '../pdl/source-file';
import type { UrnRule } from './urn-check';

/**
 * `exist` is no check of a value: whether another entity exists changes without the value. `readExpectedUrns` reads it, and a
 * setting decides what becomes of such a value.
 */
const OPTIONS: OptionNames = { effective: new Set(['entityTypes', 'strict', 'exist']) };

/**
 * Reads `@UrnValidation = {"entityTypes"?, "strict"?, "exist"?}` of a field; for a list it applies to each element.
 *
 * **Errors**: `InvalidModelError` for a field without urns, or an option of the wrong type.
 */
export function readUrnValidation({ annotations, type, origin }: FieldSchema): UrnRule | undefined {
  const annotation = annotations.UrnValidation;
  if (annotation === undefined) return undefined;
  if (!isJsonObject(annotation)) throw errorAt(origin, '@UrnValidation: expected a JSON object');
  const target = dereferenced(type);
  if (!isText(target) && !(target.kind === 'array' && isText(dereferenced(target.items)))) {
    throw errorAt(origin, '@UrnValidation: expected a urn, or a list of urns');
  }
  const { entityTypes = [], strict = false, exist = false } = annotation;
  const isName = (name: JsonValue): name is string => typeof name === 'string';
  if (!Array.isArray(entityTypes) || !entityTypes.every(isName)) {
    throw errorAt(origin, '@UrnValidation: expected entityTypes to be a list of names');
  }
  if (typeof strict !== 'boolean')
    throw errorAt(origin, '@UrnValidation: expected strict to be true or false');
  if (typeof exist !== 'boolean') throw errorAt(origin, '@UrnValidation: expected exist to be true or false');
  return { entityTypes, isStrict: strict };
}

/**
 * Reads the annotation of every field, so a faulty one is reported when the model loads and not with the first value.
 */
export function checkUrnValidations(schemas: Iterable<NamedSchema>, warnings: ModelWarnings): void {
  for (const schema of schemas) {
    if (schema.kind !== 'record') continue;
    for (const field of schema.fields) {
      readUrnValidation(field);
      const { UrnValidation: annotation } = field.annotations;
      if (!isJsonObject(annotation)) continue;
      warnings.options('UrnValidation', annotation, OPTIONS, field.origin);
    }
  }
}

function isText(type: Schema): boolean {
  return type.kind === 'primitive' && type.name === 'string';
}
