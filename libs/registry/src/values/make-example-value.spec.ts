import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { stringifyJson } from '@stratalog/json';
import { checkAspect } from './check-aspect';
import { requireEntityType } from './require-entity-type';
import { makeExampleUrn, makeExampleValue } from './make-example-value';
import { loadModel } from '../model/load-model';

const MODELS = join(import.meta.dirname, '../../../../models');
const registry = await loadModel({ folders: [MODELS], vendor: 'linkedin', urnNamespace: 'li' });

describe('examples', () => {
  test('include a valid value of any aspect of the shipped model', () => {
    const rejected = registry.aspects.flatMap((aspect) => {
      const checked = checkAspect(registry, aspect, makeExampleValue(registry, aspect));
      return 'faults' in checked
        ? [`${aspect.name}: ${stringifyJson(checked.faults.map((f) => ({ ...f })))}`]
        : [];
    });
    expect(rejected).toEqual([]);
  });

  test('include a urn of any entity type', () => {
    const made = registry.entityTypes.map((type) => [type.name, makeExampleUrn(registry, type)] as const);
    const wrong = made.filter(([, urn]) => urn === undefined || 'fault' in requireEntityType(registry, urn));
    expect(wrong).toEqual([]);
    expect(new Map(made).get('dataset')).toBe(
      'urn:li:dataset:(urn:li:dataPlatform:postgres,example-dataset,PROD)',
    );
  });
});
