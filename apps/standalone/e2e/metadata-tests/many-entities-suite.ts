import { describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import { expectRejection } from '../testing/catalog/wire-case';
import { DESCRIBED, OWNED, type TestCalls } from './test-calls';

/** Evaluations of many entities by tasks. */
export function manyEntitiesSuite({
  catalog,
  newDataset,
  newTest,
  readResults,
  nextNumber,
}: TestCalls): void {
  describe('of many entities', () => {
    const start = (parameters: JsonOutputObject) =>
      catalog.http.post('/test?action=evaluateAll', stringifyJson(parameters));
    const run = async (parameters: JsonOutputObject): Promise<JsonValue | undefined> => {
      const { status, json } = await start(parameters);
      expect(status).toBe(200);
      const target = `/operations/tasks/${encodeURIComponent(at(json, 'value', 'task') as string)}`;
      const read = async () => (await catalog.http.get(target)).json;
      await until(async () => ['completed', 'failed'].includes(at(await read(), 'state') as string));
      return read();
    };
    const infixes = Array.from({ length: 60 }, (_, index) => `*a${String(index)}*`).join(' ');
    const newUrns = async (): Promise<readonly string[]> => [await newDataset('Orders'), await newDataset()];

    it('metadata tests of many entities are evaluated by a task, which writes the results and counts them', async () => {
      const urns = await newUrns();
      const [described, owned] = [await newTest(DESCRIBED), await newTest(OWNED)];
      const absent = 'urn:li:dataset:(urn:li:dataPlatform:hive,absent,PROD)';
      const task = await run({ urns: [...urns, absent], tests: [described], testUrns: [owned] });
      expect(task).toMatchObject({
        kind: 'evaluate-tests',
        state: 'completed',
        progress: { done: 3, total: 3 },
        outcome: {
          evaluated: 2,
          written: 2,
          passing: 1,
          failing: 3,
          error: 0,
          tests: [
            { test: described, passing: 1, failing: 1, error: 0 },
            { test: owned, passing: 0, failing: 2, error: 0 },
          ],
        },
      });
      expect(await readResults(urns[0] ?? '')).toMatchObject({
        passing: [{ test: described }],
        failing: [{ test: owned }],
      });
      const again = await run({ urns: [...urns], tests: [described, owned] });
      expect(at(again, 'outcome', 'written')).toBe(0);
    });

    it('metadata tests of many entities cover every type unless types are named, and more entities than a step takes', async () => {
      const name = `many${String(nextNumber())}`;
      const proposals = Array.from({ length: 2_100 }, (_, index) => ({
        entityType: 'tag',
        entityUrn: `urn:li:tag:${name}-${String(index)}`,
        changeType: 'UPSERT',
        aspectName: 'tagProperties',
        aspect: { contentType: 'application/json', value: stringifyJson({ name: String(index % 3) }) },
      }));
      for (let from = 0; from < proposals.length; from += 525) {
        const body = stringifyJson({ proposals: proposals.slice(from, from + 525) });
        expect((await catalog.http.post('/aspects?action=ingestProposalBatch', body)).status).toBe(200);
      }
      const test = await newTest({ property: 'tagProperties.name', operator: 'equals', value: '0' }, ['tag']);
      const all = await run({ tests: [test] });
      expect(all).toMatchObject({ state: 'completed', outcome: { passing: 700, failing: 1_400, error: 0 } });
      expect(at(all, 'progress', 'done')).toBe(at(all, 'progress', 'total'));
      const values = await catalog.http.post(
        '/aspects?action=getTimeseriesAspectValues',
        stringifyJson({ urn: test, entity: 'test', aspect: 'testResultCounts' }),
      );
      expect(values.body).toContain('\\"error\\":0,\\"failing\\":1400,\\"passing\\":700');
      const charts = await run({ tests: [test], entityTypes: ['Chart'] });
      expect(charts).toMatchObject({ progress: { done: 0, total: 0 }, outcome: { passing: 0, failing: 0 } });

      const results = (query: string) =>
        catalog.http.get(`/tests/${encodeURIComponent(test)}/results?${query}`);
      await catalog.http.caughtUp();
      const first = (await results('outcome=passing&count=400')).json;
      expect(at(first, 'counts')).toEqual({ passing: 700, failing: 1_400, error: 0 });
      const next = at(first, 'next') as string;
      const second = (await results(`outcome=passing&count=400&after=${encodeURIComponent(next)}`)).json;
      expect(second).not.toHaveProperty('next');
      const listed = [first, second].flatMap((page) => at(page, 'results') as JsonOutputObject[]);
      expect(listed).toHaveLength(700);
      expect(listed[0]).toEqual({
        urn: `urn:li:tag:${name}-0`,
        entityType: 'tag',
        outcome: 'passing',
        computedMillis: expect.any(Number),
      });
      const csv = await results('outcome=failing&entityType=tag&count=1&format=csv');
      expect([csv.headers['content-type'], csv.headers['x-stratalog-next']]).toEqual([
        'text/csv; charset=utf-8',
        `urn:li:tag:${name}-1`,
      ]);
      expect(csv.body).toMatch(
        new RegExp(
          `^urn,entityType,outcome,computed,reason\r\nurn:li:tag:${name}-1,tag,failing,[-0-9T:.]+Z,\r\n$`,
        ),
      );
    });

    it('metadata tests of many entities report errors with their reasons until the test can be evaluated', async () => {
      const urn = await newDataset();
      const tags = Array.from({ length: 10_001 }, (_, index) => String(index));
      await catalog.http.write(urn, 'datasetProperties', { tags });
      const test = await newTest({ property: 'datasetProperties.tags', operator: 'equals', value: 'x' });
      const error = { test, reason: 'a path leads to more than 10000 values' };
      const start = await run({ urns: [urn], tests: [test] });
      expect(start).toMatchObject({ outcome: { written: 1, error: 1 } });
      expect(await readResults(urn)).toMatchObject({ passing: [], failing: [], errors: [error] });
      expect(await run({ urns: [urn], tests: [test] })).toMatchObject({ outcome: { written: 0, error: 1 } });
      const results = async (query: string) => {
        await catalog.http.caughtUp();
        return catalog.http.get(`/tests/${encodeURIComponent(test)}/results?${query}`);
      };
      const { reason } = error;
      expect((await results('outcome=error')).json).toMatchObject({
        counts: { passing: 0, failing: 0, error: 1 },
        results: [{ urn, outcome: 'error', reason }],
      });
      expect((await results('outcome=failing')).json).toMatchObject({ results: [] });
      expect((await results('format=csv')).body).toMatch(
        new RegExp(`^urn,entityType,outcome,computed,reason\r\n"[^"]+",dataset,error,[^,]+,${reason}\r\n$`),
      );

      await catalog.http.write(urn, 'datasetProperties', { tags: ['x'] });
      await run({ urns: [urn], tests: [test] });
      const settled = await readResults(urn);
      expect(settled).toMatchObject({ passing: [{ test }], failing: [] });
      expect(settled).not.toHaveProperty('errors');
    });

    it('metadata tests of many entities cover what a search finds, with every write before the task', async () => {
      const word = `selected${String(nextNumber())}`;
      const urns = [await newDataset(`The ${word} orders`), await newDataset(`Orders, ${word}`)];
      const [other, removed] = [await newDataset('Orders'), await newDataset(word)];
      await catalog.http.write(removed, 'status', { removed: true });
      const test = await newTest(DESCRIBED);
      expect(
        await run({ query: `description:${word}`, entityTypes: ['dataset'], tests: [test] }),
      ).toMatchObject({
        progress: { done: 2, total: 2 },
        outcome: { evaluated: 2, written: 2, passing: 2 },
      });
      expect(await readResults(urns[1] ?? '')).toMatchObject({ passing: [{ test }] });
      expect([await readResults(other), await readResults(removed)]).toEqual([undefined, undefined]);
      expect(await run({ query: `${word} ${word}none`, tests: [test] })).toMatchObject({
        progress: { done: 0, total: 0 },
        outcome: { evaluated: 0 },
      });
      expect(await run({ query: '\0 \ud800', tests: [test] })).toMatchObject({ state: 'completed' });
    });

    it('the results of a test that was deleted are removed', async () => {
      const urns = await newUrns();
      const [described, owned] = [await newTest(DESCRIBED), await newTest(OWNED)];
      await run({ urns: [...urns], tests: [described, owned] });
      await catalog.http.post('/entities?action=delete', stringifyJson({ urn: owned }));
      const task = await run({ urns: [...urns], tests: [owned] });
      expect(task).toMatchObject({ outcome: { evaluated: 2, written: 2, tests: [] } });
      expect(await readResults(urns[0] ?? '')).toMatchObject({ passing: [{ test: described }], failing: [] });
    });

    it.each([
      ['a malformed urn', { urns: ['dataset:x'] }, 'dataset:x'],
      ['an unknown type', { entityTypes: ['datset'] }, 'did you mean dataset'],
      ['a type without results', { entityTypes: ['dataPlatform'] }, 'have no testResults'],
      ['a test that is none', { tests: ['urn:li:tag:a'] }, 'must be the urn of a test'],
      ['urns and types', { urns: ['urn:li:tag:a'], entityTypes: ['tag'] }, 'exclude each other'],
      ['urns and a query', { urns: ['urn:li:tag:a'], query: 'a' }, 'exclude each other'],
      ['a query that costs too much', { query: infixes }, 'The search would cost'],
    ])('metadata tests of many entities are rejected with %s', async (_, parameters, message) => {
      expectRejection(await start(parameters), 400, message);
    });

    it.each([
      ['another type', 'urn:li:tag:a', '', 400, 'must be the urn of a test'],
      ['a test that does not exist', 'urn:li:test:none', '', 404, 'urn:li:test:none'],
      ['an unknown outcome', 'urn:li:test:none', '?outcome=unknown', 400, "'outcome'"],
    ])('metadata tests of many entities have no results of %s', async (_, urn, query, status, message) => {
      const answer = await catalog.http.get(`/tests/${encodeURIComponent(urn)}/results${query}`);
      expectRejection(answer, status, message);
    });
  });
}
