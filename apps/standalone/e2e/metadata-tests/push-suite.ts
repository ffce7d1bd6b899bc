import { describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import { AUDITOR, DESCRIBED, OWNED, type TestCalls } from './test-calls';

/** Evaluations that write their results. */
export function pushSuite({
  catalog,
  newDataset,
  newTest,
  evaluate,
  readResults,
  nextNumber,
}: TestCalls): void {
  describe('with push', () => {
    const stamped = (test: string, type: string) => ({
      test,
      type,
      testDefinitionMd5: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown as string,
      lastComputed: { time: expect.any(Number), actor: AUDITOR },
    });
    const readVersion = async (urn: string): Promise<number> => {
      const { json } = await catalog.http.entity(urn, '?aspects=List(testResults)');
      return Number(at(json, 'aspects', 'testResults', 'version'));
    };

    it('metadata tests with push are written as a proposal, with history, and only when something changed', async () => {
      const urn = await newDataset('Orders');
      const [described, owned] = [await newTest(DESCRIBED), await newTest(OWNED)];
      const pushed = await evaluate({ urn, tests: [described, owned], push: true });
      expect(pushed.headers['x-stratalog-position']).toBeDefined();
      const first = await readResults(urn);
      expect(first).toEqual({
        passing: [stamped(described, 'SUCCESS')],
        failing: [stamped(owned, 'FAILURE')],
      });
      await evaluate({ urn, tests: [described, owned], shouldPush: true });
      expect(await readResults(urn)).toEqual(first);

      const owners = [{ owner: 'urn:li:corpuser:jdoe', type: 'DATAOWNER' }];
      await catalog.http.write(urn, 'ownership', { owners });
      await evaluate({ urn, tests: [owned], push: true });
      expect(await readResults(urn)).toEqual({
        passing: [stamped(described, 'SUCCESS'), stamped(owned, 'SUCCESS')],
        failing: [],
      });
      const { json } = await catalog.http.aspect(urn, 'testResults', 1);
      expect(at(json, 'aspect', 'com.linkedin.test.TestResults', 'failing')).toEqual([
        stamped(owned, 'FAILURE'),
      ]);
    });

    it('metadata tests with push of every test replace the results, and of some tests keep the others', async () => {
      const urn = await newDataset('Orders');
      const gone = 'urn:li:test:gone';
      const described = await newTest(DESCRIBED);
      await catalog.http.write(urn, 'testResults', {
        passing: [{ test: gone, type: 'SUCCESS' }],
        failing: [],
      });
      await evaluate({ urn, tests: [described], push: true });
      expect(stringifyJson((await readResults(urn)) ?? null)).toContain(gone);
      await evaluate({ urn, push: true });
      expect(stringifyJson((await readResults(urn)) ?? null)).not.toContain(gone);
    });

    it('metadata tests with push at the same time lose no result', async () => {
      const urn = await newDataset('Orders');
      const tests: string[] = [];
      for (let made = 0; made < 8; made++) tests.push(await newTest(made % 2 === 0 ? DESCRIBED : OWNED));
      const answers = await Promise.all(tests.map((test) => evaluate({ urn, tests: [test], push: true })));
      expect(answers.map(({ status }) => status)).toEqual(tests.map(() => 200));
      const { passing, failing } = (await readResults(urn)) as Record<string, JsonOutputObject[]>;
      expect([...(passing ?? []), ...(failing ?? [])].map(({ test }) => test).sort()).toEqual(
        [...tests].sort(),
      );
    });

    it('metadata tests with push write nothing to an entity of a type without results', async () => {
      const urn = `urn:li:dataPlatform:tested${String(nextNumber())}`;
      await catalog.http.write(urn, 'dataPlatformInfo', {
        name: 'x',
        type: 'OTHERS',
        datasetNameDelimiter: '.',
      });
      const test = await newTest([], ['dataPlatform']);
      const { json } = await evaluate({ urn, tests: [test], push: true });
      expect(json).toEqual({ value: { passing: [], failing: [] } });
      expect(await readVersion(urn)).toBeNaN();
    });
  });
}
