import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { checkAspect } from '../values/check-aspect';
import { requireEntityType } from '../values/require-entity-type';
import type { EntityRegistry } from './entity-registry';
import { loadModel } from './load-model';

/** The model that the catalog ships. */
const MODELS = join(import.meta.dirname, '../../../../models');

let registry: EntityRegistry;

beforeAll(async () => {
  registry = await loadModel({ folders: [MODELS] });
});

describe('the model under models/', () => {
  test('it has the entity types of the contract, each with docs', () => {
    const names = registry.entityTypes.map(({ name }) => name);

    expect(names).toEqual(
      expect.arrayContaining([
        'dataset',
        'chart',
        'dashboard',
        'corpuser',
        'corpGroup',
        'tag',
        'glossaryTerm',
        'dataPlatform',
      ]),
    );
    expect(registry.entityTypes.filter(({ doc }) => doc === '')).toEqual([]);
  });

  test('it makes the key of a dataset from platform, name and origin', () => {
    const entity = requireEntityType(
      registry,
      'urn:li:dataset:(urn:li:dataPlatform:hive,db.schema.table,PROD)',
    );

    expect(entity).toHaveProperty(
      'keyText',
      '{"name":"db.schema.table","origin":"PROD","platform":"urn:li:dataPlatform:hive"}',
    );
  });

  test('it makes a schema of a connector canonical', () => {
    const aspect = registry.aspect('schemaMetadata');
    if (aspect === undefined) throw new Error('no schemaMetadata');
    const field = {
      fieldPath: 'id',
      nativeDataType: 'int',
      type: { type: { 'com.linkedin.pegasus2avro.schema.NumberType': {} } },
    };
    const checked = checkAspect(registry, aspect, {
      schemaName: 's',
      platform: 'urn:li:dataPlatform:hive',
      version: 0,
      hash: '',
      platformSchema: { Schemaless: {} },
      fields: [field, { ...field, type: { type: { TextType: {} } } }],
    });

    expect(checked).toEqual({
      faults: [
        {
          path: '/fields/1/type/type',
          reason: expect.stringMatching(/^must be one of com\.linkedin\.schema\.\w+, /),
        },
      ],
    });
  });

  test('it searches datasets by name, and by the names that clients use for it', () => {
    const fields = registry.entityType('dataset')?.searchFields;

    expect(fields?.get('name')).toMatchObject({ type: 'WORD_GRAM', boost: 10, autocomplete: true });
    expect(fields?.get('_entityName')?.name).toBe('name');
  });
});
