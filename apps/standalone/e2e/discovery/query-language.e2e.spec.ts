import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const JANUARY = 'shop.orders_of_january';
const FEBRUARY = 'shop.orders_of_february';
const UNDATED = 'shop.shareholders';

describe('The query language', () => {
  const catalog = catalogForSuite();
  let position: string;
  beforeAll(async () => {
    const { http } = catalog;
    const dated = (name: string, day: string): Promise<string> => {
      const lastModified = { time: Date.parse(day), actor: 'urn:li:corpuser:ada' };
      return http.write(dataset(name), 'datasetProperties', { name, lastModified });
    };
    await dated(JANUARY, '2026-01-31T15:00:00Z');
    await dated(FEBRUARY, '2026-02-10T00:00:00Z');
    position = await http.write(dataset(UNDATED), 'datasetProperties', { name: UNDATED });
  });

  const call = (action: string, body: JsonOutputObject): Promise<Answer> =>
    catalog.http.post(`/entities?action=${action}`, stringifyJson({ start: 0, count: 10, ...body }), {
      'X-Stratalog-Wait-For': position,
    });
  const found = async (input: string): Promise<readonly string[]> => {
    const answer = await call('search', { entity: 'dataset', input, searchFlags: { fulltext: false } });
    if (answer.status !== 200) throw new Error(answer.body);
    const urns = at(answer.json, 'value', 'metadata', 'urns') as readonly string[];
    return urns.map((urn) => urn.split(',')[1] ?? '').sort();
  };

  it.each([
    ['lastModifiedAt:[2026-01-01 TO 2026-01-31]', [JANUARY]],
    ['lastModifiedAt:[2026-01-01 TO 2026-01-31}', []],
    ['lastModifiedAt:>2026-01-31', [FEBRUARY]],
    ['lastModifiedAt:<=2026-02-10T00:00:00Z orders', [FEBRUARY, JANUARY]],
    ['lastModifiedAt:[* TO *]', [FEBRUARY, JANUARY]],
    [`lastModifiedAt:>${String(Date.parse('2026-02-01'))}`, [FEBRUARY]],
    ['-lastModifiedAt:>2026-01-31', [JANUARY, UNDATED]],
    ['shop lastModifiedAt:>2026-01-01 -february', [JANUARY]],
    ['shareholders OR lastModifiedAt:>2026-01-31', [FEBRUARY, UNDATED]],
    ['(lastModifiedAt:<=2026-01-31 OR *holder*)', [JANUARY, UNDATED]],
    ['-(january OR lastModifiedAt:>2026-01-31)', [UNDATED]],
  ])('finds by the range %s', async (input, names) => {
    expect(await found(input)).toEqual(names);
  });

  it.each([
    ['*anua*', [JANUARY]],
    ['*ruary', [FEBRUARY]],
    ['*uary', [FEBRUARY, JANUARY]],
    ['*holde*', [UNDATED]],
    ['name:*HOLDE*', [UNDATED]],
    ['*uary -*ebr*', [JANUARY]],
    ['(*ebr* OR *holder*)', [FEBRUARY, UNDATED]],
    ['*holder', []],
  ])('finds by the part of a word %s', async (input, names) => {
    expect(await found(input)).toEqual(names);
  });

  it('says what is wrong with a range', async () => {
    const message = async (input: string): Promise<unknown> => {
      const answer = await call('searchAcrossEntities', { entities: ['dataset'], input });
      return [answer.status, at(answer.json, 'message')];
    };
    expect(await message(Array.from({ length: 17 }, () => 'lastModifiedAt:>5').join(' OR '))).toEqual([
      400,
      'The query is not valid: its ranges next to OR and within parentheses make more than 16 combinations',
    ]);
    expect(await message('lastModifiedAt:>yesterday')).toEqual([
      400,
      'The query is not valid: "yesterday" is no number and no date',
    ]);
    expect(await message('name:>m')).toEqual([
      400,
      'The query is not valid: name holds no numbers or dates, and a range compares these',
    ]);
  });

  it('counts facets, and scrolls, within a range', async () => {
    const searched = await call('search', {
      entity: 'dataset',
      input: 'lastModifiedAt:>2026-01-01',
      facets: ['platform'],
    });
    expect(at(searched.json, 'value', 'metadata', 'searchResultMetadatas', '0', 'aggregations')).toEqual({
      'urn:li:dataPlatform:hive': 2,
    });
    const scrolled = await catalog.http.post(
      '/entities?action=scrollAcrossEntities',
      stringifyJson({ entities: ['dataset'], input: 'lastModifiedAt:>2026-01-31', count: 10 }),
    );
    expect(at(scrolled.json, 'value', 'numEntities')).toBe(1);
  });
});
