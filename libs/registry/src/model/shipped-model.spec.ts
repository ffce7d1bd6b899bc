import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { decideAccess, type Principal } from '@stratalog/domain';
import type { JsonObject } from '@stratalog/json';
import { requireEntityType, buildUrn } from '../values/require-entity-type';
import type { EntityRegistry, EntityType } from './entity-registry';
import { loadModel } from './load-model';
import { formatModelLines } from './format-model-lines';

const MODELS = join(import.meta.dirname, '../../../../models');
/** Update on purpose only: `npm run -s cli -- model lines > libs/registry/shipped-model.txt`. */
const EXPECTED = join(import.meta.dirname, '../../shipped-model.txt');

let registry: EntityRegistry;

beforeAll(async () => {
  registry = await loadModel({ folders: [MODELS] });
});

describe('the whole model under models/', () => {
  test('it matches shipped-model.txt line by line', () => {
    const lines = formatModelLines(registry);
    const expected = readFileSync(EXPECTED, 'utf8').trimEnd().split('\n');
    const [has, shouldHave] = [new Set(lines), new Set(expected)];

    expect({
      lost: expected.filter((line) => !has.has(line)),
      unexpected: lines.filter((line) => !shouldHave.has(line)),
    }).toEqual({ lost: [], unexpected: [] });
  });

  test('a limit by platform finds the platform in every key that begins with a urn, and in no other', () => {
    const reader: Principal = {
      kind: 'token',
      name: 'reader',
      actor: 'urn:li:corpuser:reader',
      scopes: new Set(['read']),
      limits: { platforms: ['kafka'] },
      speaksForOthers: false,
      open: new Set(),
    };
    const isOfKafka = (urn: string): boolean =>
      decideAccess(reader, { effect: 'reads', call: 'x' }, { kind: 'entities', urns: [urn] }).kind ===
      'allowed';
    const toUrn = ({ name, keyAspect }: EntityType, first: string): string => {
      const [, ...others] = keyAspect.record.fields;
      const id = others.length === 0 ? first : `(${[first, ...others.map(() => 'PROD')].join(',')})`;
      return `urn:li:${name}:${id}`;
    };
    const beginsWithUrn = (entityType: EntityType): boolean =>
      'fault' in requireEntityType(registry, toUrn(entityType, 'kafka'));
    const listNames = (types: readonly EntityType[]): readonly string[] => types.map(({ name }) => name);
    const { entityTypes } = registry;
    expect(
      listNames(entityTypes.filter((type) => isOfKafka(toUrn(type, 'urn:li:dataPlatform:kafka')))),
    ).toEqual(listNames(entityTypes.filter(beginsWithUrn)));
    const inTuple = entityTypes.filter(({ keyAspect }) => keyAspect.record.fields.length === 1);
    expect(inTuple.filter(({ name }) => isOfKafka(`urn:li:${name}:(urn:li:dataPlatform:kafka,a)`))).toEqual(
      [],
    );
  });

  test('it has the entities, aspects and types of 1.7.0, and those of later clients', () => {
    const { entityTypes, aspects, types } = registry;
    const ofKind = (kind: string): number => types.filter((type) => type.kind === kind).length;

    expect({
      entities: entityTypes.length,
      core: entityTypes.filter(({ category }) => category === 'core').length,
      internal: entityTypes.filter(({ category }) => category === 'internal').length,
      aspects: entityTypes.flatMap((entity) => [...entity.aspects.keys()]).filter(isFirst).length,
      keys: aspects.filter(({ isKey }) => isKey).length,
      timeseries: aspects.filter(({ kind }) => kind === 'timeseries').length,
      withoutEntity: aspects
        .map(({ name }) => name)
        .filter((name) => !entityTypes.some((entity) => entity.aspects.has(name))),
      types: types.length,
      records: ofKind('record'),
      enums: ofKind('enum'),
      typerefs: ofKind('typeref'),
      fixed: ofKind('fixed'),
    }).toEqual({
      entities: 72,
      core: 48,
      internal: 16,
      aspects: 269,
      keys: 72,
      timeseries: 12,
      withoutEntity: ['incidentSource', 'mlHyperParam', 'mlMetric'],
      types: 816,
      records: 636,
      enums: 118,
      typerefs: 61,
      fixed: 1,
    });
  });

  test('the page about the model states its size', () => {
    const text = readFileSync(join(MODELS, 'README.md'), 'utf8').replace(/\s+/g, ' ');
    const { entityTypes, aspects } = registry;
    const owned = new Set(entityTypes.flatMap((entity) => [...entity.aspects.keys()]));
    expect(text).toContain(
      `${String(entityTypes.length)} entity types and ${String(aspects.length)} aspects. ${String(owned.size)} aspects belong`,
    );
  });

  test('the urn of every entity gives its key, and the key gives the urn', () => {
    for (const entityType of registry.entityTypes) {
      const key = keyOf(entityType);
      const made = buildUrn(registry, entityType, key);
      if ('fault' in made) throw new Error(`${entityType.name}: ${made.fault}`);

      expect(requireEntityType(registry, made.urn)).toMatchObject({
        entityType: { name: entityType.name },
        key,
      });
    }
  });

  test('it has no unknown parts, and only these have no effect', () => {
    expect(registry.warnings).toEqual([]);
    expect(registry.notes.map((line) => line.replace(/^.*:\d+:\d+: | \(and at.*$/g, '')).sort()).toEqual([
      '@Aspect: the option EntityUrns has no effect here',
      '@Aspect: the option schemaVersion has no effect here',
      '@Searchable: the option searchTier has no effect here',
    ]);
  });

  test('every entity, type and field has a sentence of its own', () => {
    const { entityTypes, types } = registry;
    const silent = [
      ...[...entityTypes, ...types].filter(({ doc }) => doc === '').map(({ name }) => name),
      ...types.flatMap((type) => {
        const fields = type.kind === 'record' ? type.fields : [];
        return fields.filter(({ doc }) => doc === '').map(({ name }) => `${type.name}.${name}`);
      }),
    ];

    expect(silent).toEqual([]);
  });
});

/** Any key of the entity: a nested urn for urn fields, and texts with blanks and colons. */
function keyOf({ keyAspect }: EntityType): JsonObject {
  const parts = keyAspect.record.fields.map(({ name, type }): [string, string] => {
    if (type.kind === 'enum') return [name, type.symbols[0]?.name ?? ''];
    return [name, type.kind === 'typeref' ? 'urn:li:dataPlatform:kafka' : `a ${name}: 1%`];
  });
  return Object.fromEntries(parts);
}

function isFirst(name: string, at: number, names: readonly string[]): boolean {
  return names.indexOf(name) === at;
}
