import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/json';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import { checkAspect } from './check-aspect';
import type { AspectType } from '../model/entity-registry';
import { makeExampleValue } from './make-example-value';
import { buildJsonSchema } from './build-json-schema';
import { loadModel } from '../model/load-model';

const MODELS = join(import.meta.dirname, '../../../../models');
const registry = await loadModel({ folders: [MODELS], vendor: 'linkedin', urnNamespace: 'li' });
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const validators = new Map(
  registry.aspects.map((aspect) => [aspect.name, ajv.compile(buildJsonSchema(aspect))]),
);

function validatorOf({ name }: AspectType): ValidateFunction {
  const validator = validators.get(name);
  if (validator === undefined) throw new Error('every aspect has one');
  return validator;
}

/** The value with one fault: a member less, or one of another type, anywhere in it. */
function spoiled(value: JsonObject): readonly JsonObject[] {
  return Object.keys(value).flatMap((name) => {
    const { [name]: inner = null, ...others } = value;
    const deeper = isJsonObject(inner) ? spoiled(inner).map((wrong) => ({ ...value, [name]: wrong })) : [];
    return [others, { ...value, [name]: otherType(inner) }, ...deeper];
  });
}

function otherType(value: JsonValue): JsonValue {
  if (typeof value === 'string') return { not: 'a text' };
  return typeof value === 'boolean' ? 7 : 'neither a number nor a list nor an object';
}

describe('the JSON Schema of an aspect, in a validator', () => {
  test('accepts a stored value of every aspect', () => {
    const invalid = registry.aspects.flatMap((aspect) => {
      const checked = checkAspect(registry, aspect, makeExampleValue(registry, aspect));
      const validate = validatorOf(aspect);
      return 'value' in checked && validate(checked.value) ? [] : [[aspect.name, validate.errors]];
    });
    expect(invalid).toEqual([]);
  });

  test('agrees with the catalog about a value with one fault', () => {
    const judged = { taken: 0, rejected: 0 };
    const apart = registry.aspects.flatMap((aspect) =>
      spoiled(makeExampleValue(registry, aspect)).flatMap((wrong) => {
        const checked = checkAspect(registry, aspect, wrong);
        const isTaken = 'value' in checked;
        judged[isTaken ? 'taken' : 'rejected']++;
        const isValid = validatorOf(aspect)(isTaken ? checked.value : wrong);
        return isTaken === isValid ? [] : [[aspect.name, wrong, isTaken]];
      }),
    );
    expect(apart).toEqual([]);
    expect(Math.min(judged.taken, judged.rejected)).toBeGreaterThan(100);
  });

  test('rejects an unknown symbol, a wrong urn and two members of a union', () => {
    const valid = (name: string, value: JsonValue): boolean => {
      const aspect = registry.aspect(name);
      return aspect !== undefined && validatorOf(aspect)(value);
    };
    const owned = (owner: string, type: string): JsonObject => ({ owners: [{ owner, type }] });
    expect(valid('ownership', owned('urn:li:corpuser:jdoe', 'DATAOWNER'))).toBe(true);
    expect(valid('ownership', owned('urn:li:corpuser:jdoe', 'NOBODY'))).toBe(false);
    expect(valid('ownership', owned('jdoe', 'DATAOWNER'))).toBe(false);
    const input = { string: 'urn:li:dataset:(urn:li:dataPlatform:x,y,PROD)' };
    const chart = (one: JsonObject): JsonObject => {
      const stamp = { time: 1, actor: 'urn:li:corpuser:jdoe' };
      return {
        title: 't',
        description: 'd',
        lastModified: { created: stamp, lastModified: stamp },
        inputs: [one],
      };
    };
    expect([valid('chartInfo', chart(input)), valid('chartInfo', chart({ ...input, other: 'x' }))]).toEqual([
      true,
      false,
    ]);
  });
});
