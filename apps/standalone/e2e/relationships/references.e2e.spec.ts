import { describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import { relatedTo } from '../testing/data/relationships';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const GONE = 'urn:li:tag:gone';
const KEPT = 'urn:li:tag:kept';

describe('References to an entity', () => {
  const catalog = catalogForSuite();
  const call = (body: JsonOutputObject): Promise<Answer> =>
    catalog.http.post('/entities?action=deleteReferences', stringifyJson(body));
  const valueOf = async (body: JsonOutputObject): Promise<JsonValue | undefined> => {
    const answer = await call(body);
    if (answer.status !== 200) throw new Error(answer.body);
    return at(answer.json, 'value');
  };
  const aspectOf = async (urn: string, name: string): Promise<JsonValue | undefined> =>
    at((await catalog.http.entity(urn)).json, 'aspects', name, 'value');
  const tagged = (...tags: string[]): JsonOutputObject => ({ tags: tags.map((tag) => ({ tag })) });

  it('are listed by a dry run, and removed from the aspects by a real one', async () => {
    await catalog.http.write(dataset('a'), 'globalTags', tagged(GONE, KEPT));
    await catalog.http.write(dataset('b'), 'globalTags', tagged(GONE));
    const found = {
      relatedAspects: ['a', 'b'].map((name) => ({
        entity: dataset(name),
        relationship: 'TaggedWith',
        aspect: 'globalTags',
      })),
      total: 2,
    };
    expect(await valueOf({ urn: GONE, dryRun: true })).toEqual(found);
    expect(await aspectOf(dataset('b'), 'globalTags')).toEqual(tagged(GONE));

    expect(await valueOf({ urn: GONE })).toEqual(found);
    expect(await aspectOf(dataset('a'), 'globalTags')).toEqual(tagged(KEPT));
    expect(await aspectOf(dataset('b'), 'globalTags')).toEqual({ tags: [] });
    expect(await valueOf({ urn: GONE })).toEqual({ relatedAspects: [], total: 0 });
    const question = { urn: GONE, direction: 'INCOMING', types: ['TaggedWith'] };
    expect(await relatedTo(catalog.http, question)).toEqual({ total: 0, edges: [] });
  });

  it('references to an entity from columns to the columns of a dataset go with those to the dataset', async () => {
    const column = (name: string) => `urn:li:schemaField:(${dataset(name)},id)`;
    const link = (...names: readonly string[]): JsonOutputObject => ({
      upstreamType: 'FIELD_SET',
      downstreamType: 'FIELD',
      upstreams: names.map(column),
      downstreams: [column('made')],
    });
    const upstreams = ['read', 'dropped'].map((name) => ({ dataset: dataset(name), type: 'TRANSFORMED' }));
    await catalog.http.write(dataset('made'), 'upstreamLineage', {
      upstreams,
      fineGrainedLineages: [link('dropped'), link('read', 'dropped')],
    });
    const reference = { entity: dataset('made'), relationship: 'DownstreamOf', aspect: 'upstreamLineage' };
    const found = { relatedAspects: [reference], total: 1 };
    expect(await valueOf({ urn: dataset('dropped'), dryRun: true })).toEqual(found);
    expect(await valueOf({ urn: dataset('dropped') })).toEqual(found);
    expect(await aspectOf(dataset('made'), 'upstreamLineage')).toMatchObject({
      upstreams: [{ dataset: dataset('read') }],
      fineGrainedLineages: [{ upstreams: [column('read')], downstreams: [column('made')] }],
    });
  });

  it('references to an entity that are the whole content of an aspect delete it; key aspects keep them and are reported', async () => {
    const container = 'urn:li:container:box';
    await catalog.http.write(dataset('boxed'), 'container', { container });
    expect(await valueOf({ urn: container })).toMatchObject({ total: 1 });
    expect((await catalog.http.aspect(dataset('boxed'), 'container')).status).toBe(404);

    const flow = 'urn:li:dataFlow:(airflow,nightly,PROD)';
    const entity = `urn:li:dataJob:(${flow},load)`;
    await catalog.http.write(entity, 'status', { removed: false });
    const key = { entity, relationship: 'IsPartOf', aspect: 'dataJobKey' };
    expect(await valueOf({ urn: flow })).toEqual({ relatedAspects: [key], total: 1, left: [key] });
    expect(await aspectOf(entity, 'dataJobKey')).toEqual({ flow, jobId: 'load' });
  });

  it('references to an entity of more than a page are all removed, despite concurrent writes', async () => {
    const urn = 'urn:li:tag:popular';
    const names = Array.from({ length: 1_100 }, (_, index) => dataset(`many-${String(index)}`));
    // A connection each: more at once than the operating system keeps waiting, and it resets some.
    for (let start = 0; start < names.length; start += 200) {
      const some = names.slice(start, start + 200);
      await Promise.all(some.map((name) => catalog.http.write(name, 'globalTags', tagged(urn))));
    }
    const busy = dataset('many-7');
    const others = Array.from({ length: 20 }, (_, index) => `urn:li:tag:other-${String(index)}`);
    const add = async (tag: string): Promise<void> => {
      const value = stringifyJson([{ op: 'add', path: `/tags/${tag}`, value: { tag } }]);
      const aspect = { value, contentType: 'application/json-patch+json' };
      const members = { changeType: 'PATCH', aspect };
      const answer = await catalog.http.ingest({ urn: busy, aspectName: 'globalTags', value: '', members });
      expect(answer.status).toBe(200);
    };
    const [removed] = await Promise.all([valueOf({ urn }), ...others.map(add)]);
    expect(at(removed, 'total')).toBe(1_100);
    expect(at(removed, 'left')).toBeUndefined();
    expect(await valueOf({ urn, dryRun: true })).toEqual({ relatedAspects: [], total: 0 });
    const tags = at(await aspectOf(busy, 'globalTags'), 'tags') as unknown as { tag: string }[];
    expect(tags.map(({ tag }) => tag).sort()).toEqual([...others].sort());
  });

  it.each<[string, JsonOutputObject, RegExp]>([
    ['no urn', {}, /^Parameter 'urn' is required$/],
    ['a null for the urn', { urn: null }, /^Parameter 'urn' is required$/],
    ['an object for the urn', { urn: {} }, /'\/urn :: an object is not a string'$/],
    ['no urn at all', { urn: 'nonsense' }, /^Invalid urn nonsense: /],
    ['a urn that is too long', { urn: `urn:li:tag:${'x'.repeat(600)}` }, /^Invalid urn /],
    [
      'another text than true or false',
      { urn: GONE, dryRun: 'maybe' },
      /'\/dryRun :: "maybe" is not true or false'$/,
    ],
    ['a number for dryRun', { urn: GONE, dryRun: 1 }, /'\/dryRun :: 1 is not true or false'$/],
  ])('are not looked for with %s', async (_what, body, message) => {
    const answer = await call(body);
    expect(answer.status).toBe(400);
    expect(at(answer.json, 'message')).toMatch(message);
  });
});
