import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const tag = (name: string): string => `urn:li:tag:${name}`;
const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';

describe('Existence, lists and counts', () => {
  const catalog = catalogForSuite();
  let position: string;
  beforeAll(async () => {
    for (const name of ['c', 'a', 'hidden', 'gone', 'b']) {
      await catalog.http.write(tag(name), 'tagProperties', { name });
    }
    await catalog.http.write(DATASET, 'datasetProperties', { description: 'x' });
    await catalog.http.write(tag('hidden'), 'status', { removed: true });
    const members = { changeType: 'DELETE', aspect: undefined };
    await catalog.http.ingest({ urn: tag('gone'), aspectName: 'tagKey', value: {}, members });
    position = await catalog.http.write(tag('a'), 'status', { removed: false });
    await catalog.http.caughtUp();
  });

  const call = (target: string, body: JsonOutputObject): Promise<Answer> =>
    catalog.http.post(target, stringifyJson(body), { 'X-Stratalog-Wait-For': position });
  const value = async (action: string, body: JsonOutputObject): Promise<JsonValue | undefined> => {
    const resource = action === 'getCount' ? 'aspects' : 'entities';
    const answer = await call(`/${resource}?action=${action}`, body);
    if (answer.status !== 200) throw new Error(`${action}: ${answer.body}`);
    return at(answer.json, 'value');
  };

  it.each([
    ['one that is there', { urn: tag('a') }, true],
    [
      'one that is there, of those that are not soft-deleted',
      { urn: tag('a'), includeSoftDelete: false },
      true,
    ],
    ['one without status', { urn: tag('b'), includeSoftDelete: 'false' }, true],
    ['a soft-deleted one', { urn: tag('hidden') }, true],
    [
      'a soft-deleted one, of those that are not soft-deleted',
      { urn: tag('hidden'), includeSoftDelete: false },
      false,
    ],
    ['a deleted one', { urn: tag('gone') }, false],
    ['one that was never written', { urn: tag('nobody') }, false],
  ])('tell of %s', async (_name, body, exists) => {
    expect(await value('exists', body)).toBe(exists);
  });

  it('list urns from the store in order, including soft-deleted ones', async () => {
    const urns = ['a', 'b', 'c', 'hidden'].map(tag);
    expect(await value('listUrns', { entity: 'tag', start: 0, count: 10 })).toEqual({
      entities: urns,
      start: 0,
      count: 4,
      total: 4,
    });
    expect(await value('listUrns', { entity: 'TAG', start: '1', count: 2 })).toEqual({
      entities: urns.slice(1, 3),
      start: 1,
      count: 2,
      total: 4,
    });
    expect(await value('listUrns', { entity: 'chart', start: 0, count: 5 })).toMatchObject({ total: 0 });
  });

  it('list and count entities from the index without soft-deleted ones', async () => {
    const listed = await value('list', { entity: 'tag', start: 0, count: 10, filter: {}, sortCriteria: [] });
    expect(listed).toEqual({ entities: ['a', 'b', 'c'].map(tag), start: 0, count: 10, total: 3 });
    expect(await value('getTotalEntityCount', { entity: 'tag' })).toBe(3);
    expect(await value('batchGetTotalEntityCount', { entities: ['tag', 'dataset', 'chart', 'tag'] })).toEqual(
      {
        tag: 3,
        dataset: 1,
        chart: 0,
      },
    );
    const answer = await call('/entities?action=getTotalEntityCount', { entity: 'tag' });
    expect(answer.headers).toMatchObject({
      'x-stratalog-lag': '0',
      'x-stratalog-position': expect.any(String),
    });
  });

  it.each([
    [{ aspect: 'tagProperties' }, 4],
    [{ aspect: 'tagKey', urnLike: 'urn:li:tag:%' }, 4],
    [{ aspect: 'tagKey', urnLike: tag('_') }, 3],
    [{ aspect: 'datasetKey', urnLike: '%orders%' }, 1],
    [{ aspect: 'datasetKey', urnLike: 'orders' }, 0],
  ])('count the aspects of %j', async (body, count) => {
    expect(await value('getCount', body)).toBe(count);
  });

  it('return browse paths', async () => {
    expect(await value('getBrowsePaths', { urn: DATASET })).toEqual(['/prod/hive/shop']);
    expect(await value('getBrowsePaths', { urn: tag('a') })).toEqual([]);
    expect(
      await value('getBrowsePaths', { urn: 'urn:li:dataset:(urn:li:dataPlatform:hive,none,PROD)' }),
    ).toEqual([]);
  });

  const page = { entity: 'tag', start: 0, count: 1 };
  it.each([
    ['entities?action=exists', {}, "Parameter 'urn' is required"],
    ['entities?action=exists', { urn: null }, "Parameter 'urn' is required"],
    ['entities?action=exists', { urn: ['x'] }, '/urn :: a list is not a string'],
    ['entities?action=exists', { urn: 'x' }, 'Invalid urn x'],
    ['entities?action=exists', { urn: 'urn:li:nothing:x' }, 'Failed to find entity with name nothing'],
    ['entities?action=exists', { urn: tag('x'.repeat(600)) }, 'longer than 512 bytes'],
    [
      'entities?action=exists',
      { urn: tag('a'), includeSoftDelete: 7 },
      '/includeSoftDelete :: 7 is not true or false',
    ],
    ['entities?action=listUrns', { ...page, entity: 'nothing' }, 'Failed to find entity with name nothing'],
    ['entities?action=listUrns', { entity: 'tag', count: 1 }, "Parameter 'start' is required"],
    ['entities?action=listUrns', { ...page, start: -1 }, '/start :: -1 is not an integer from 0'],
    [
      'entities?action=listUrns',
      { ...page, count: 10_001 },
      '/count :: 10001 is not an integer from 0 to 10000',
    ],
    ['entities?action=listUrns', { ...page, count: 1.5 }, '/count :: 1.5 is not an integer'],
    ['entities?action=list', { ...page, count: 'x' }, '/count :: "x" is not an integer'],
    ['entities?action=list', { ...page, start: 10_000 }, 'must not exceed 10000'],
    ['entities?action=getTotalEntityCount', {}, "Parameter 'entity' is required"],
    ['entities?action=batchGetTotalEntityCount', { entities: 'tag' }, '/entities :: "tag" is not a list'],
    [
      'entities?action=batchGetTotalEntityCount',
      { entities: ['tag', 1] },
      '/entities/1 :: 1 is not a string',
    ],
    ['entities?action=batchGetTotalEntityCount', { entities: ['tag', 'nothing'] }, 'Failed to find entity'],
    ['entities?action=getBrowsePaths', { urn: 'x' }, 'Invalid urn x'],
    ['aspects?action=getCount', {}, "Parameter 'aspect' is required"],
    ['aspects?action=getCount', { aspect: 'nothing' }, "Parameter 'aspect': the model has no aspect nothing"],
    ['aspects?action=getCount', { aspect: 'status', urnLike: 1 }, '/urnLike :: 1 is not a string'],
    ['aspects?action=getCount', { aspect: 'status', urnLike: 'a\\' }, "Parameter 'urnLike'"],
    ['aspects?action=getCount', { aspect: 'status', urnLike: 'a\u0000' }, "Parameter 'urnLike'"],
  ])('reject %s with %j', async (target, body, message) => {
    const answer = await call(`/${target}`, body);
    expect([answer.status, at(answer.json, 'message')]).toEqual([400, expect.stringContaining(message)]);
  });
});
