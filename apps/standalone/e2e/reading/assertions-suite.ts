import { beforeAll, describe, expect, it } from '@jest/globals';
import { at } from '../testing/catalog/catalog-client';
import type { SummariesCatalog } from './summaries-suite';

const dataset = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,asserted.${name},PROD)`;
const assertion = (name: string) => `urn:li:assertion:${name}`;

/** The last results of the assertions about several entities. */
export function assertionsSuite({ get, write, headersOf }: SummariesCatalog): void {
  describe('the last results of assertions', () => {
    let position = '';
    beforeAll(async () => {
      for (const [name, about] of [
        ['checked-1', 'a'],
        ['checked-2', 'a'],
        ['checked-3', 'b'],
      ] as const) {
        position = await write(assertion(name), 'assertionInfo', {
          type: 'DATASET',
          datasetAssertion: { dataset: dataset(about), scope: 'DATASET_ROWS', operator: 'BETWEEN' },
        });
      }
      const run = (name: string, timestampMillis: number, type?: string) =>
        write(assertion(name), 'assertionRunEvent', {
          timestampMillis,
          runId: String(timestampMillis),
          asserteeUrn: dataset('a'),
          assertionUrn: assertion(name),
          status: 'COMPLETE',
          ...(type === undefined ? {} : { result: { type, nativeResults: { measured: 'x'.repeat(1_000) } } }),
        });
      await run('checked-1', 2_000, 'SUCCESS');
      await run('checked-1', 1_000, 'FAILURE');
      await run('checked-3', 3_000, 'SUCCESS');
      await run('checked-3', 4_000);
    });
    const ids = (...urns: readonly string[]) => `List(${urns.map(encodeURIComponent).join(',')})`;
    const read = (query: string, headers?: Readonly<Record<string, string>>) =>
      get(`/assertions/results?ids=${query}`, headers);

    it('are read for several entities in one call', async () => {
      const headers = { ...(await headersOf({})), 'X-Stratalog-Wait-For': position };
      const answer = await read(ids(dataset('a'), dataset('b'), dataset('none')), headers);
      expect([answer.status, answer.json]).toEqual([
        200,
        {
          results: {
            [dataset('a')]: {
              total: 2,
              assertions: [
                {
                  assertion: assertion('checked-1'),
                  lastRun: { time: 2_000, status: 'COMPLETE', type: 'SUCCESS' },
                },
                { assertion: assertion('checked-2') },
              ],
            },
            [dataset('b')]: {
              total: 1,
              assertions: [
                { assertion: assertion('checked-3'), lastRun: { time: 4_000, status: 'COMPLETE' } },
              ],
            },
            [dataset('none')]: { total: 0, assertions: [] },
          },
        },
      ]);
      expect(answer.headers['x-stratalog-position']).toBeDefined();
      expect(Number(answer.headers['x-stratalog-lag'])).toBeGreaterThanOrEqual(0);
    });

    it('are rejected for too many entities, wrong urns and tokens of others', async () => {
      const many = Array.from({ length: 101 }, (_, n) => `urn:li:tag:${String(n)}`);
      const tooMany = await read(ids(...many));
      expect([tooMany.status, at(tooMany.json, 'message')]).toEqual([
        400,
        expect.stringContaining("Parameter 'ids' names 101 urns; at most 100 are read at once"),
      ]);
      expect((await read('nonsense')).status).toBe(400);
      expect((await get('/assertions/results')).status).toBe(400);
      expect((await read(ids(dataset('a')), await headersOf({ entityTypes: ['tag'] }))).status).toBe(403);
    });
  });
}
