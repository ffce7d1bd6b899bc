import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonObject } from '@stratalog/json';
import { dataset } from '../relationships/edge-forms';
import type { BootOptions } from '../testing/catalog/booted-catalog';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';
import { postLineage, readDegrees } from '../testing/data/lineage';

const column = (table: string, path: string): string => `urn:li:schemaField:(${table},${path})`;
/** No part repeats, so that no index could compress it. */
const pathOf = (length: number): string =>
  Array.from({ length: Math.ceil(length / 7) }, (_, at) =>
    Math.sin(at + length)
      .toString(36)
      .slice(-6),
  )
    .join('.')
    .slice(0, length);
const field = (fieldPath: string) => ({
  fieldPath,
  nativeDataType: 'text',
  type: { type: { 'com.linkedin.schema.StringType': {} } },
});

/** The tests of columns whose path is longer than an index entry, on a catalog with these settings. */
export function longColumnsSuite(settings: BootOptions = {}): void {
  const catalog = catalogForSuite(settings);

  describe.each([2_600, 20_000])('a column with a path of %i characters', (length) => {
    const path = pathOf(length);
    const named = (table: string): string => dataset(`${table}.${String(length)}`);
    const [wide, narrow, keyed] = [named('wide'), named('narrow'), named('keyed')];
    const [from, to] = [column(wide, path), column(narrow, path)];
    const [b, a] = [column(wide, 'b'), column(narrow, 'a')];
    let waitFor: string;

    beforeAll(async () => {
      expect(path).toHaveLength(length);
      const { http } = catalog;
      await http.write(wide, 'schemaMetadata', {
        schemaName: 'wide',
        platform: 'urn:li:dataPlatform:hive',
        version: 0,
        hash: '',
        platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
        fields: [field(path), field('b')],
      });
      await http.write(keyed, 'schemaMetadata', {
        schemaName: 'keyed',
        platform: 'urn:li:dataPlatform:hive',
        version: 0,
        hash: '',
        platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
        fields: [field('b')],
        foreignKeys: [
          {
            name: 'to wide',
            foreignFields: [from],
            sourceFields: [column(keyed, 'b')],
            foreignDataset: wide,
          },
        ],
      });
      waitFor = await http.write(narrow, 'upstreamLineage', {
        upstreams: [{ dataset: wide, type: 'TRANSFORMED' }],
        fineGrainedLineages: [[[a], [from, b]] as const, [[to], [b]] as const].map(
          ([downstreams, upstreams]) => ({
            upstreamType: 'FIELD_SET',
            downstreamType: 'FIELD_SET',
            upstreams,
            downstreams,
          }),
        ),
      });
    });

    const degrees = (urn: string, direction: string) =>
      readDegrees(catalog.http, { urn, direction, maxHops: 10 }, waitFor);
    const related = async (urn: string, direction: string, type: string) => {
      const query = `urn=${encodeURIComponent(urn)}&direction=${direction}&types=${type}`;
      const { json } = await catalog.http.post('/relationships', query, {
        'X-HTTP-Method-Override': 'GET',
        'Content-Type': 'application/x-www-form-urlencoded',
        'X-Stratalog-Wait-For': waitFor,
      });
      const entries = at(json, 'relationships') as readonly JsonObject[];
      return entries.map(({ entity }) => entity);
    };

    it('has lineage in both directions, as its table and the other columns do', async () => {
      expect(await degrees(narrow, 'UPSTREAM')).toEqual([`1 ${wide}`]);
      expect((await degrees(a, 'UPSTREAM')).toSorted()).toEqual([`1 ${b}`, `1 ${from}`].toSorted());
      expect(await degrees(from, 'DOWNSTREAM')).toEqual([`1 ${a}`]);
      expect(await degrees(to, 'UPSTREAM')).toEqual([`1 ${b}`]);
      expect((await degrees(b, 'DOWNSTREAM')).toSorted()).toEqual([`1 ${a}`, `1 ${to}`].toSorted());
    });

    it('has lineage in the past, and in searches', async () => {
      const past = await postLineage(
        catalog.http,
        'getLineage',
        { urn: from, direction: 'DOWNSTREAM', asOf: Date.now() },
        waitFor,
      );
      expect(stringifyJson(past.json ?? null)).toContain(a);
      const impact = await catalog.http.post(
        '/entities?action=searchAcrossLineage',
        stringifyJson({ urn: from, direction: 'DOWNSTREAM', start: 0, count: 10 }),
        { 'X-Stratalog-Wait-For': waitFor },
      );
      expect([impact.status, stringifyJson(impact.json ?? null)]).toEqual([200, expect.any(String)]);
    });

    it('has relationships, also those that a foreign key and a list of urns declare', async () => {
      expect(await related(from, 'INCOMING', 'DownstreamOf')).toEqual([narrow, a]);
      expect(await related(to, 'OUTGOING', 'DownstreamOf')).toEqual([b]);
      expect(await related(from, 'INCOMING', 'ForeignKeyTo')).toEqual([keyed]);
      expect(await related(keyed, 'OUTGOING', 'ForeignKeyTo')).toEqual([from]);
    });

    it('is read as it was written', async () => {
      for (const table of [wide, narrow]) {
        const { json } = await catalog.http.entity(table);
        expect(stringifyJson(json ?? null)).toContain(path);
      }
    });

    it('is found by its words, its path and as an upstream', async () => {
      const options = { waitFor };
      expect((await catalog.http.find(`narrow.${String(length)}`, options)).urns).toContain(narrow);
      expect((await catalog.http.find(path.slice(0, 6), options)).urns).toEqual([wide]);
      const answer = await catalog.http.post(
        '/entities?action=search',
        stringifyJson({
          input: '*',
          entity: 'dataset',
          start: 0,
          count: 10,
          filter: {
            or: [
              { and: [{ field: 'fineGrainedUpstreams', condition: 'EQUAL', value: from, values: [from] }] },
            ],
          },
        }),
        { 'X-Stratalog-Wait-For': waitFor },
      );
      expect([answer.status, at(answer.json, 'value', 'entities')]).toEqual([200, [narrow]]);
    });

    it('is no entity: the answer names the urn and the limit', async () => {
      const own = await catalog.http.ingest({ urn: from, aspectName: 'globalTags', value: { tags: [] } });
      expect([own.status, at(own.json, 'message')]).toEqual([
        422,
        expect.stringContaining('longer than 2048 bytes'),
      ]);
    });
  });
}
