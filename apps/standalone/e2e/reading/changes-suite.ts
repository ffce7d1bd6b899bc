import { beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@stratalog/json';
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

  describe('the changes of an entity by day', () => {
    const path = `/entitiesV2/${encodeURIComponent(TAG)}/changesByDay`;

    it('are counted like the timeline lists them', async () => {
      const timeline = await get(`/entitiesV2/${encodeURIComponent(TAG)}/timeline?aspects=tagProperties`);
      expect(at(timeline.json, 'changes')).toHaveLength(3);
      const { json } = await get(`${path}?aspects=tagProperties`);
      expect(json).toEqual({
        urn: TAG,
        entityName: 'tag',
        startTime: expect.any(Number),
        endTime: expect.any(Number),
        total: 3,
        days: expect.any(Array),
      });
      const days = at(json, 'days') as { startTime: number; changes: number }[];
      expect(days.reduce((sum, { changes }) => sum + changes, 0)).toBe(3);
      for (const { startTime } of days) expect(startTime % 86_400_000).toBe(0);
      const berlin = await get(`${path}?aspects=tagProperties&timeZone=Europe/Berlin`);
      expect(at(berlin.json, 'total')).toBe(3);
    });

    it('are none outside the time, and of an entity without a write', async () => {
      expect((await get(`${path}?startTime=1&endTime=2`)).json).toMatchObject({ total: 0, days: [] });
      expect((await get('/entitiesV2/urn:li:tag:unwritten/changesByDay')).json).toMatchObject({ total: 0 });
    });

    it('are not for a token of other entities', async () => {
      const headers = await headersOf({ entityTypes: ['dataset'] });
      expect((await get(path, headers)).status).toBe(403);
    });

    it.each([
      ['timeZone=Mars/Base', 'Mars/Base is no known time zone'],
      ['startTime=2&endTime=1', "Parameter 'startTime': 2 is after endTime, which is 1"],
      ['endTime=soon', "'endTime' value 'soon' is invalid"],
    ])('are not counted for a request with %s', async (query, message) => {
      const { status, json } = await get(`${path}?${query}`);
      expect([status, at(json, 'message')]).toEqual([400, expect.stringContaining(message)]);
    });
  });
}
