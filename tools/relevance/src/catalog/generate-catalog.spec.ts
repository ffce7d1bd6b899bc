import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '@stratalog/harness';
import { loadModel } from '@stratalog/registry';
import { judge } from '../queries/judge';
import { QUERY_KINDS, readQueries } from '../queries/read-queries';
import type { CatalogEntity } from './catalog-entity';
import { generateCatalog } from './generate-catalog';
import { readCatalogFiles } from './read-catalog-files';
import { EntityStorage } from './store-entities';

const files = readCatalogFiles();
const generate = (size: number, seed = 1): readonly CatalogEntity[] => [
  ...generateCatalog(files, { seed, size }),
];

describe('the generated catalog', () => {
  let entities: readonly CatalogEntity[];
  beforeAll(() => {
    entities = generate(10_000);
  });

  it('has as many entities as it is asked for, each with a urn of its own', () => {
    expect(new Set(entities.map(({ urn }) => urn)).size).toBe(10_000);
    expect(() => generate(10)).toThrow('The core has');
  });

  it('depends on nothing but its options, and begins as a smaller one', () => {
    expect(generate(3_000)).toEqual(entities.slice(0, 3_000));
    expect(generate(3_000, 2)).not.toEqual(entities.slice(0, 3_000));
  });

  it('is accepted by the model', async () => {
    const registry = await loadModel({ folders: [join(ROOT, 'models')] });
    const storage = new EntityStorage(registry);
    for (const entity of entities.slice(0, 4_000)) storage.store(entity);
    const [table] = entities.filter(({ traits }) => traits.name === 'fct_customer_orders');
    if (table === undefined) throw new Error('the core lacks a table');
    const names = storage.store(table).aspects.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['datasetKey', 'schemaMetadata', 'browsePathsV2']));
  });

  it('names only tags, terms and people that exist', () => {
    const named = new Set(entities.map(({ entityType, traits }) => `${entityType} ${traits.name}`));
    const missing = files.subjects.flatMap(({ concepts }) =>
      concepts.flatMap(({ tags, terms }) => [
        ...tags.filter((tag) => !named.has(`tag ${tag}`)),
        ...terms.filter((term) => !named.has(`glossaryTerm ${term}`)),
      ]),
    );
    expect(missing).toEqual([]);
  });

  it('holds near-duplicates of most tables, deprecated ones and all kinds of entities', () => {
    const count = (matches: (entity: CatalogEntity) => boolean): number => entities.filter(matches).length;
    expect(count(({ traits }) => traits.standing === 'copy')).toBeGreaterThan(3_000);
    expect(count(({ traits }) => traits.standing === 'environment')).toBeGreaterThan(200);
    expect(count(({ traits }) => traits.standing === 'deprecated')).toBeGreaterThan(100);
    for (const type of [
      'dashboard',
      'chart',
      'dataJob',
      'dataFlow',
      'glossaryTerm',
      'tag',
      'domain',
      'corpuser',
    ]) {
      expect([type, count(({ entityType }) => entityType === type)]).not.toEqual([type, 0]);
    }
  });
});

describe('the queries', () => {
  it('are at least 110, ten of each kind, each asked once', () => {
    const queries = readQueries();
    expect(queries.length).toBeGreaterThanOrEqual(110);
    for (const kind of QUERY_KINDS)
      expect(queries.filter((query) => query.kind === kind).length).toBeGreaterThanOrEqual(10);
    expect(new Set(queries.map(({ ask, in: type }) => `${type} ${ask}`)).size).toBe(queries.length);
  });

  it('have a best answer that the core holds, so that it is the same at every size', () => {
    const core = generate(2_000);
    const larger = generate(4_000);
    for (const query of readQueries()) {
      const best = (entities: readonly CatalogEntity[]): readonly string[] =>
        [...judge(query, entities)].flatMap(([urn, grade]) => (grade === 3 ? [urn] : []));
      expect({ ask: query.ask, best: best(larger) }).toEqual({ ask: query.ask, best: best(core) });
      expect({ ask: query.ask, best: best(core).length }).not.toEqual({ ask: query.ask, best: 0 });
    }
  });
});
