import { beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@stratalog/model';
import { at } from '../testing/catalog/catalog-client';
import type { SummariesCatalog } from './summaries-suite';

const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,changes.a,PROD)';
const OTHER = 'urn:li:dataset:(urn:li:dataPlatform:kafka,changes.b,PROD)';
const TAG = 'urn:li:tag:changes';

/** The changes of the whole catalog. */
export function changesSuite({ get, write, headersOf }: SummariesCatalog): void {
  describe('the changes of the catalog', () => {
    let before = 0;
    beforeAll(async () => {
      before = Date.now();
      await write(DATASET, 'status', { removed: false });
      await write(TAG, 'tagProperties', { name: 'first' });
      await write(OTHER, 'status', { removed: false });
      await write(TAG, 'tagProperties', { name: 'second' });
      await write(TAG, 'tagProperties', {}, { changeType: 'DELETE', aspect: undefined });
    });

    const read = async (query: string, headers?: Readonly<Record<string, string>>): Promise<JsonObject> => {
      const { status, json, body } = await get(`/changes?startTime=${String(before)}&${query}`, headers);
      if (status !== 200) throw new Error(body);
      return json as JsonObject;
    };
    const changesIn = (page: JsonObject): JsonObject[] => page.changes as JsonObject[];
    const names = (page: JsonObject) =>
      changesIn(page).map(({ urn, aspectName, version, kind }) =>
        [urn, aspectName, version, kind].map(String).join(' '),
      );
    const ofTag = [
      `${TAG} tagProperties 3 DELETED`,
      `${TAG} tagProperties 2 CHANGED`,
      `${TAG} tagProperties 1 CREATED`,
      `${TAG} tagKey 1 CREATED`,
    ];

    it('are listed by type, the newest first, with time, actor and provenance', async () => {
      const page = await read('types=tag');
      expect(names(page).filter((name) => name.includes('tagProperties'))).toEqual(ofTag.slice(0, 3));
      expect(page).not.toHaveProperty('next');
      expect(changesIn(page)[0]).toEqual({
        time: expect.any(Number),
        actor: 'urn:li:corpuser:admin',
        urn: TAG,
        entityName: 'tag',
        aspectName: 'tagProperties',
        version: 3,
        kind: 'DELETED',
        systemMetadata: expect.objectContaining({ version: '3' }),
      });
    });

    it('are the same page by page', async () => {
      const all = names(await read('count=100'));
      expect(all).toEqual(
        expect.arrayContaining([
          ...ofTag.slice(0, 3),
          `${DATASET} status 1 CREATED`,
          `${OTHER} status 1 CREATED`,
        ]),
      );
      const paged: string[] = [];
      let cursor = '';
      do {
        const page = await read(`count=2${cursor}`);
        paged.push(...names(page));
        cursor = page.next === undefined ? '' : `&cursor=${page.next as string}`;
      } while (cursor !== '');
      expect(paged).toEqual(all);
    });

    it('are selected by actor and by time', async () => {
      const nobody = await read('actor=urn:li:corpuser:nobody');
      expect(nobody).toEqual({ changes: [] });
      expect(names(await read('actor=urn:li:corpuser:admin&types=tag'))).toEqual(
        names(await read('types=tag')),
      );
      expect((await get(`/changes?endTime=${String(before - 1)}&types=tag`)).json).toEqual({ changes: [] });
    });

    it('leave out what the token of the caller is not for', async () => {
      const kafka = await read('count=100', await headersOf({ platforms: ['kafka'] }));
      const urns = changesIn(kafka).map(({ urn }) => urn);
      expect(urns).toContain(OTHER);
      expect(new Set(urns)).toEqual(new Set([OTHER]));
      const tags = await headersOf({ entityTypes: ['tag'] });
      expect(names(await read('count=100', tags))).toEqual(names(await read('types=tag&count=100')));
      expect(await read('types=dataset', tags)).toEqual({ changes: [] });
    });

    it.each([
      ['types=nonsense', 'nonsense'],
      ['cursor=nonsense', "Parameter 'cursor': nonsense is no `next` of a page"],
      ['count=101', "'count' value '101' is invalid: it must be an integer from 1 to 100"],
      ['startTime=yesterday', "'startTime' value 'yesterday' is invalid"],
    ])('a request with %s is rejected', async (query, message) => {
      const { status, json } = await get(`/changes?${query}`);
      expect([status, at(json, 'message')]).toEqual([400, expect.stringContaining(message)]);
    });
  });
}
