import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Facts, compileDefinition, type FactRef } from '@stratalog/metadata-tests';
import type { StoredEntity } from '@stratalog/domain';
import { stringifyJson, type JsonValue } from '@stratalog/json';
import { loadModel, type EntityRegistry } from '@stratalog/registry';
import { evaluateEntity, type EvaluationDeps } from './evaluate-entity';
import { readFacts } from './read-facts';
import type { StoredTest } from './test-library';

const nameTable = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const URN = nameTable('a');

let registry: EntityRegistry;

beforeAll(async () => {
  registry = await loadModel({ folders: [join(import.meta.dirname, '../../../../../models')] });
});

/** A store with these aspects of each urn, of which a read returns two urns. */
function storeWith(aspects: Readonly<Record<string, JsonValue>>): EvaluationDeps['store'] {
  const readEntities = (urns: readonly string[], names: readonly string[]) =>
    Promise.resolve({
      entities: urns.slice(0, 2).map((urn) => ({
        urn,
        aspects: names
          .filter((name) => aspects[name] !== undefined)
          .map((name) => ({ name, value: stringifyJson(aspects[name] ?? null) })),
      })) as unknown as readonly StoredEntity[],
      rest: urns.slice(2),
    });
  return { readEntities } as unknown as EvaluationDeps['store'];
}

describe('facts', () => {
  const refs = ['a', 'b', 'c', 'd', 'e'].map((name): FactRef => ({
    urn: nameTable(name),
    aspectName: 'ownership',
    aspectKind: 'versioned',
  }));

  it.each([
    [1_000, true, 5],
    [30, false, 3],
  ])('facts of at most %i characters are read: %s', async (maxCharacters, isWhole, size) => {
    const facts = new Facts(registry);
    // Fourteen characters an aspect.
    const store = storeWith({ ownership: { owners: [1] } });
    expect(await readFacts({ store, nowMs: 0, maxCharacters }, refs, facts)).toBe(isWhole);
    expect(facts.size).toBe(size);
  });
});

describe('tests of an entity', () => {
  const toTest = (name: string, rules: JsonValue): StoredTest => ({
    urn: `urn:li:test:${name}`,
    keyVersion: 1,
    name,
    md5: '',
    definition: compileDefinition(registry, stringifyJson({ on: { types: ['dataset'] }, rules })),
  });
  const evaluate = async (tests: readonly StoredTest[], store: EvaluationDeps['store']) => {
    const reports = await evaluateEntity({ registry, store, clock: { now: () => 0 } }, { urn: URN, tests });
    return reports.map(({ outcome }) => outcome.kind);
  };

  it('need one read of the entity, whatever their conditions', async () => {
    const reads: (readonly string[])[] = [];
    const whole = storeWith({
      ownership: { owners: [] },
      datasetProperties: { description: 'Orders' },
    });
    const store = {
      readEntities: (urns: readonly string[], names: readonly string[]) => {
        reads.push(names);
        return whole.readEntities(urns, names);
      },
    } as unknown as EvaluationDeps['store'];
    const described = { property: 'datasetProperties.description', operator: 'exists' };
    const definition = compileDefinition(
      registry,
      stringifyJson({
        on: { types: ['dataset'], conditions: described },
        rules: { property: 'ownership.owners', operator: 'exists' },
      }),
    );
    expect(
      await evaluate(
        [{ urn: 'urn:li:test:a', keyVersion: 1, name: 'a', md5: '', definition }, toTest('b', described)],
        store,
      ),
    ).toEqual(['failing', 'passing']);
    expect(reads).toEqual([['datasetProperties', 'ownership']]);
  });

  it('tests of an entity that need more aspects together than are held have the outcomes that each has alone', async () => {
    const upstreams = Array.from({ length: 1_900 }, (_, index) => ({
      dataset: nameTable(String(index)),
      type: 'COPY',
    }));
    const store = storeWith({ upstreamLineage: { upstreams } });
    const aspects = [...(registry.entityType('dataset')?.aspects.values() ?? [])]
      .filter(({ kind, name }) => kind === 'versioned' && name !== 'upstreamLineage')
      .slice(0, 12);
    const tests = aspects.map(({ name }) =>
      toTest(name, { not: { property: `upstreamLineage.upstreams.dataset.${name}`, operator: 'exists' } }),
    );
    expect(tests.map(({ definition }) => definition.kind)).toEqual(tests.map(() => 'test'));
    expect(await evaluate(tests, store)).toEqual(tests.map(() => 'passing'));
  });
});
