import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import type { SummariesCatalog } from './summaries-suite';

const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,cards.orders,PROD)';
const CHART = 'urn:li:chart:(looker,cards.1)';
const OWNERS = Array.from({ length: 7 }, (_, n) => `urn:li:corpuser:card-${String(n)}`);

/** The cards in the answers of searches. */
export function cardsSuite({ post, write }: SummariesCatalog): void {
  describe('cards of matches', () => {
    let position = '';
    beforeAll(async () => {
      await write('urn:li:corpuser:card-0', 'corpUserInfo', { active: true, displayName: 'Ada Lovelace' });
      await write('urn:li:tag:card', 'tagProperties', { name: 'Of a card' });
      await write('urn:li:dataPlatform:hive', 'dataPlatformInfo', {
        name: 'hive',
        displayName: 'Apache Hive',
        type: 'FILE_SYSTEM',
        datasetNameDelimiter: '.',
      });
      await write('urn:li:domain:cards', 'domainProperties', { name: 'Sales' });
      await write(DATASET, 'datasetProperties', {
        name: 'Carded orders',
        description: 'Found by a connector',
      });
      await write(DATASET, 'editableDatasetProperties', { description: ` ${'🂡'.repeat(200)} ` });
      await write(DATASET, 'subTypes', { typeNames: ['Table', 'Other'] });
      await write(DATASET, 'ownership', { owners: OWNERS.map((owner) => ({ owner, type: 'DATAOWNER' })) });
      await write(DATASET, 'globalTags', { tags: [{ tag: 'urn:li:tag:card' }] });
      await write(DATASET, 'domains', { domains: ['urn:li:domain:cards'] });
      position = await write(CHART, 'status', { removed: false });
    });

    const metadata = async (
      action: string,
      body: JsonOutputObject,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<JsonValue | undefined> => {
      const {
        status,
        json,
        body: text,
      } = await post(`/entities?action=${action}`, stringifyJson({ start: 0, count: 10, ...body }), {
        'X-Stratalog-Wait-For': position,
        ...headers,
      });
      if (status !== 200) throw new Error(text);
      return at(json, 'value', 'metadata');
    };

    it('have names, description, owners, tags and domains, as people know them', async () => {
      const answer = await metadata('search', {
        input: 'carded',
        entity: 'dataset',
        searchFlags: { cards: true },
      });
      expect(at(answer, 'urns')).toEqual([DATASET]);
      const owners = OWNERS.slice(0, 5).map((urn, n) => ({
        urn,
        name: n === 0 ? 'Ada Lovelace' : `card-${String(n)}`,
      }));
      expect(at(answer, 'cards')).toEqual([
        {
          name: 'Carded orders',
          subtype: 'Table',
          platform: { urn: 'urn:li:dataPlatform:hive', name: 'Apache Hive' },
          description: `${'🂡'.repeat(149)}…`,
          owners: { total: 7, entities: owners },
          tags: { total: 1, entities: [{ urn: 'urn:li:tag:card', name: 'Of a card' }] },
          domains: { total: 1, entities: [{ urn: 'urn:li:domain:cards', name: 'Sales' }] },
        },
      ]);
    });

    it('say what the urn says of an entity without more', async () => {
      const body = { input: 'cards.1', entities: ['chart'], count: 5, searchFlags: { cards: 'true' } };
      const platform = { urn: 'urn:li:dataPlatform:looker', name: 'looker' };
      expect(await metadata('scrollAcrossEntities', { ...body, start: undefined })).toMatchObject({
        urns: [CHART],
        cards: [{ name: 'cards.1', platform }],
      });
      const objects = { 'X-RestLi-Protocol-Version': '2.0.0' };
      expect(at(await metadata('searchAcrossEntities', body, objects), 'cards')).toEqual([
        { name: 'cards.1', platform },
      ]);
    });

    it('are absent without the flag', async () => {
      for (const searchFlags of [undefined, {}, { cards: false }])
        expect(
          await metadata('search', { input: 'carded', entity: 'dataset', searchFlags }),
        ).not.toHaveProperty('cards');
    });
  });
}
