import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { EntityRegistry } from '../model/entity-registry';
import { loadModel } from '../model/load-model';
import { EACH } from '../patch/keyed-arrays';
import { PATCH_TEMPLATES } from '../patch/patch-templates';
import { dereferenced, type Schema } from '../schema/schema';
import { ARRAY_KEYS } from './array-keys';

/**
 * Elements that patches address by key and differences by index: the key is a union, which has no text in both
 * directions.
 */
const BY_PLACE: ReadonlySet<string> = new Set(['PropertyValue']);

describe('The keys of arrays', () => {
  let registry: EntityRegistry;
  beforeAll(async () => {
    registry = await loadModel({ folders: [join(import.meta.dirname, '../../../../models')] });
  });

  /** Returns the element type of the array at a path of a record. */
  const elementAt = (schema: Schema, path: readonly string[]): Schema | undefined => {
    const type = dereferenced(schema);
    const [step, ...rest] = path;
    if (type.kind === 'array') return step === undefined ? type.items : elementAt(type.items, rest);
    if (type.kind !== 'record' || step === undefined || step === EACH) return undefined;
    const field = type.fields.find(({ name }) => name === step);
    return field === undefined ? undefined : elementAt(field.type, rest);
  };

  it('the keys of arrays of patches start with the keys of differences', () => {
    const compared: string[] = [];
    for (const [aspectName, { keyed }] of PATCH_TEMPLATES) {
      const record = registry.aspect(aspectName)?.record;
      for (const { path, keys } of keyed) {
        const element = record === undefined ? undefined : elementAt(record, path);
        const type = element === undefined ? undefined : dereferenced(element);
        const at = `${aspectName}/${path.join('/')}`;
        expect({ at, isThere: type !== undefined }).toEqual({ at, isThere: true });
        if (type?.kind !== 'record') {
          // Plain values are their own keys on both sides; of a union the value of its member is.
          expect({ at, keys }).toEqual({ at, keys: type?.kind === 'union' ? ['string'] : [] });
          continue;
        }
        const name = type.name.slice(type.name.lastIndexOf('.') + 1);
        const own = ARRAY_KEYS.get(name) ?? [];
        if (BY_PLACE.has(name)) {
          expect({ at, own }).toEqual({ at, own: [] });
          continue;
        }
        // Patches may have further keys, such as the source of a tag's attribution.
        expect({ at, keys: own }).toEqual({ at, keys: keys.slice(0, Math.max(1, own.length)) });
        compared.push(name);
      }
    }
    expect(new Set(compared).size).toBeGreaterThan(7);
  });
});
