import { describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutput } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const URN = 'urn:li:dataset:(urn:li:dataPlatform:hive,patched,PROD)';

describe('a patch', () => {
  const catalog = catalogForSuite();
  const patch = (aspectName: string, operations: JsonOutput, urn = URN): Promise<Answer> =>
    catalog.http.ingest({
      urn,
      aspectName,
      value: '',
      members: {
        changeType: 'PATCH',
        aspect: { value: stringifyJson(operations), contentType: 'application/json-patch+json' },
      },
    });
  const stored = async (aspectName: string) =>
    at((await catalog.http.entity(URN)).json, 'aspects', aspectName, 'value');

  it('creates an entity, and concurrent patches lose nothing', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `t${String(n)}`);
    const answers = await Promise.all(
      names.map((name) => {
        const tag = `urn:li:tag:${name}`;
        return patch('globalTags', [{ op: 'add', path: `/tags/${tag}`, value: { tag } }]);
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    const { tags } = (await stored('globalTags')) as unknown as { tags: { tag: string }[] };
    expect(tags.map(({ tag }) => tag).sort()).toEqual(names.map((name) => `urn:li:tag:${name}`).sort());
    expect(await stored('browsePaths')).toBeDefined();
  });

  it('works on values that are too large for a direct comparison', async () => {
    const description = 'x'.repeat(100_000);
    await catalog.http.write(URN, 'datasetProperties', { description, customProperties: { a: 'b' } });
    const operation = { op: 'add', path: '/customProperties/c', value: 'd' };
    expect((await patch('datasetProperties', [operation])).status).toBe(200);
    expect(await stored('datasetProperties')).toEqual({ description, customProperties: { a: 'b', c: 'd' } });
  });

  describe('of a large value, among many concurrent ones,', () => {
    const large = 'urn:li:dataset:(urn:li:dataPlatform:hive,large,PROD)';
    const description = 'x'.repeat(500_000);
    const batch = (count: number, isAsync: boolean): Promise<Answer> => {
      const proposals = Array.from({ length: count }, (_, n) => {
        const operation = { op: 'add', path: `/customProperties/k${String(n)}`, value: 'v' };
        const aspect = { value: stringifyJson([operation]), contentType: 'application/json' };
        return {
          entityType: 'dataset',
          entityUrn: large,
          changeType: 'PATCH',
          aspectName: 'datasetProperties',
          aspect,
        };
      });
      const body = stringifyJson({ proposals, async: String(isAsync) });
      return catalog.http.post('/aspects?action=ingestProposalBatch', body);
    };
    const toState = async () => {
      const properties = at((await catalog.http.entity(large)).json, 'aspects', 'datasetProperties');
      const names = Object.keys((at(properties, 'value', 'customProperties') ?? {}) as object);
      return [at(properties, 'systemMetadata', 'version'), names.length];
    };

    it('waits for the next commit when the previous ones fill one', async () => {
      await catalog.http.write(large, 'datasetProperties', { description });
      expect((await batch(50, true)).status).toBe(200);
      await until(async () => (await toState())[0] === '51');
      expect(await toState()).toEqual(['51', 50]);
    });

    it('is rejected with its batch when that exceeds the limit of one transaction', async () => {
      const before = await toState();
      const answer = await batch(90, false);
      expect([answer.status, at(answer.json, 'message')]).toEqual([
        422,
        expect.stringMatching(/^\/proposals\/6\d :: The patches of the batch read and write more than/),
      ]);
      expect(await toState()).toEqual(before);
    });
  });

  it('a patch of column lineage merges the additions of two patches to one column', async () => {
    const field = (name: string) => `urn:li:schemaField:(${URN},${name})`;
    const add = (name: string, confidenceScore: number) => ({
      op: 'add',
      path: `/fineGrainedLineages/NONE/${field('z')}/NONE/${field(name)}`,
      value: { confidenceScore },
    });
    expect((await patch('upstreamLineage', [add('a', 0.5)])).status).toBe(200);
    expect((await patch('upstreamLineage', [add('b', 1)])).status).toBe(200);
    expect(await stored('upstreamLineage')).toEqual({
      upstreams: [],
      fineGrainedLineages: [
        {
          upstreamType: 'FIELD_SET',
          upstreams: [field('a'), field('b')],
          downstreamType: 'FIELD',
          downstreams: [field('z')],
          transformOperation: 'NONE',
          confidenceScore: 0.5,
        },
      ],
    });
  });

  it('a patch that changes nothing makes no version', async () => {
    await catalog.http.write(URN, 'status', { removed: false });
    const version = async () =>
      at((await catalog.http.entity(URN)).json, 'aspects', 'ownership', 'systemMetadata', 'version');
    const owner = 'urn:li:corpuser:a';
    const value = { owner, type: 'DATAOWNER' };
    const add = [{ op: 'add', path: `/owners/${owner}/DATAOWNER`, value }];
    await patch('ownership', add);
    await patch('ownership', add);
    expect(await version()).toBe('1');
  });

  it('a patch that removes what is absent is a 200 that changes nothing, for an entity that is there or not', async () => {
    const before = await catalog.deps.store.readPartitionSequences();
    const never = 'urn:li:dataset:(urn:li:dataPlatform:hive,never,PROD)';
    for (const urn of [URN, never]) {
      for (const [aspect, path] of [
        ['globalTags', '/tags/urn:li:tag:none'],
        ['glossaryTerms', '/terms/urn:li:glossaryTerm:none'],
        ['datasetProperties', '/externalUrl'],
      ] as const) {
        const { status, json } = await patch(aspect, [{ op: 'remove', path }], urn);
        expect([aspect, status, json]).toEqual([aspect, 200, { value: urn }]);
      }
    }
    expect(await catalog.deps.store.readPartitionSequences()).toEqual(before);
    const exists = await catalog.http.post('/entities?action=exists', stringifyJson({ urn: never }));
    expect(exists.json).toEqual({ value: false });
  });

  it('sets the status of an entity, which hides it', async () => {
    const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,hidden,PROD)';
    expect((await patch('status', [{ op: 'add', path: '/removed', value: true }], urn)).status).toBe(200);
    expect(at((await catalog.http.entity(urn)).json, 'aspects', 'status', 'value')).toEqual({
      removed: true,
    });
  });

  it('a patch that cannot be applied is a 422 with the reason, and changes nothing', async () => {
    const before = await stored('globalTags');
    const answer = await patch('globalTags', [{ op: 'replace', path: '/tags/urn:li:tag:none', value: {} }]);
    expect([answer.status, at(answer.json, 'message')]).toEqual([
      422,
      `Error performing JSON PATCH on aspect globalTags of ${URN}: operation /0 (replace /tags/urn:li:tag:none): ` +
        'there is nothing at this path',
    ]);
    expect((await patch('versionProperties', [{ op: 'add', path: '/comment', value: 'x' }])).status).toBe(
      422,
    );
    expect((await patch('globalTags', [{ op: 'add', path: '/tags/-', value: { tag: 7 } }])).status).toBe(422);
    expect((await patch('globalTags', 'nothing')).status).toBe(422);
    expect(await stored('globalTags')).toEqual(before);
  });
});
