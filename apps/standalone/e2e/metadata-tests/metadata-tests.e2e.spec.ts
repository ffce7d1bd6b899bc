import { describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import { manyEntitiesSuite } from './many-entities-suite';
import { pushSuite } from './push-suite';
import { DESCRIBED, OWNED, callTests } from './test-calls';
import { wrongTestsSuite } from './wrong-tests-suite';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';
import { expectRejection } from '../testing/catalog/wire-case';

describe('metadata tests', () => {
  const catalog = catalogForSuite({ environment: { STRATALOG_AUTH: 'none' } });
  const calls = callTests(catalog);
  const { newDataset, newTest, evaluate, readResults, nextNumber } = calls;

  it.each(['', '/gms', '/api/gms'])(
    'are evaluated under the prefix "%s", as the contract says',
    async (prefix) => {
      const urn = await newDataset('Orders');
      const [described, owned] = [await newTest(DESCRIBED), await newTest(OWNED)];
      const { status, json } = await evaluate({ urn, testUrns: [described, owned] }, prefix);
      expect(status).toBe(200);
      expect(json).toEqual({
        value: {
          passing: [{ test: described, type: 'SUCCESS' }],
          failing: [{ test: owned, type: 'FAILURE' }],
        },
      });
      expect(await readResults(urn)).toBeUndefined();
    },
  );

  it('metadata tests without names are all of the catalog, and those of other types are in neither list', async () => {
    const urn = await newDataset('Orders');
    const [described, ofCharts] = [await newTest(DESCRIBED), await newTest([], ['chart'])];
    const { json } = await evaluate({ urn });
    const passing = at(json, 'value', 'passing') as readonly JsonValue[];
    expect(passing).toContainEqual({ test: described, type: 'SUCCESS' });
    expect(stringifyJson(json as JsonOutputObject)).not.toContain(`"${ofCharts}"`);
  });

  it('are explained, with the rule and the values that failed', async () => {
    const urn = await newDataset('Orders');
    const test = await newTest({
      and: [DESCRIBED, { property: 'datasetProperties.description', operator: 'equals', value: 'Sales' }],
    });
    const ofCharts = await newTest([], ['chart']);
    const unknown = 'urn:li:test:none';
    const { json } = await evaluate({ urn, tests: [test, ofCharts, unknown], explain: true });
    expect(at(json, 'value', 'details')).toEqual([
      {
        test,
        name: 'A test',
        outcome: 'failing',
        failures: [
          {
            rule: '/rules/and/1',
            property: 'datasetProperties.description',
            operator: 'equals',
            expected: ['Sales'],
            found: ['Orders'],
          },
        ],
      },
      { test: ofCharts, name: 'A test', outcome: 'notApplicable' },
      { test: unknown, outcome: 'unknown' },
    ]);
  });

  it('read the latest values of the store through references, and timeseries values', async () => {
    const [urn, upstream] = [await newDataset(), await newDataset()];
    const user = `urn:li:corpuser:tester${String(nextNumber())}`;
    const lineage = { upstreams: [{ dataset: upstream, type: 'TRANSFORMED' }] };
    await catalog.http.write(urn, 'upstreamLineage', lineage);
    await catalog.http.write(upstream, 'ownership', { owners: [{ owner: user, type: 'DATAOWNER' }] });
    const status = (text: string) => ({ status: text, lastModified: { time: 0, actor: user } });
    await catalog.http.write(user, 'corpUserStatus', status('ACTIVE'));
    for (const [age, rowCount] of [
      [1, 5],
      [2, 7],
      [40, 1000],
      // Dated in the future: in no range.
      [-40, 5],
    ] as const) {
      const timestampMillis = Date.now() - age * 86_400_000;
      await catalog.http.write(upstream, 'datasetProfile', { timestampMillis, rowCount });
    }
    const test = await newTest({
      and: [
        {
          property: 'upstreamLineage.upstreams.dataset.ownership.owners.owner.corpUserStatus.status',
          operator: 'equals',
          value: 'ACTIVE',
        },
        { property: 'relationships.DownstreamOf.datasetProfile.rowCount', operator: 'equals', value: 5 },
      ],
    });
    const ages = await newTest({
      and: [
        { property: 'datasetProfile.timestampMillis', operator: 'younger_than', value: '2d' },
        {
          property: 'datasetProfile.rowCount',
          aggregate: 'sum',
          within: '7d',
          operator: 'equals',
          value: 12,
        },
      ],
    });
    const passing = async (of: string, tests: readonly string[]): Promise<JsonValue | undefined> =>
      at((await evaluate({ urn: of, tests })).json, 'value', 'passing');
    expect(await passing(urn, [test])).toEqual([{ test, type: 'SUCCESS' }]);
    expect(await passing(upstream, [ages])).toEqual([{ test: ages, type: 'SUCCESS' }]);
    await catalog.http.write(user, 'corpUserStatus', status('SUSPENDED'));
    expect(await passing(urn, [test])).toEqual([]);
  });

  it('are evaluated for several entities', async () => {
    const urns = [await newDataset('Orders'), await newDataset()];
    const test = await newTest(DESCRIBED);
    const { json } = await catalog.http.post(
      '/test?action=batchEvaluate',
      stringifyJson({ urns, tests: [test], push: true }),
    );
    expect(json).toEqual({
      value: {
        results: {
          [urns[0] ?? '']: { passing: [{ test, type: 'SUCCESS' }], failing: [] },
          [urns[1] ?? '']: { passing: [], failing: [{ test, type: 'FAILURE' }] },
        },
      },
    });
    expect(await readResults(urns[1] ?? '')).toMatchObject({ passing: [], failing: [{ test }] });
  });

  it('metadata tests of several entities are not evaluated when one does not exist, and nothing is written', async () => {
    const urn = await newDataset('Orders');
    const test = await newTest(DESCRIBED);
    const absent = 'urn:li:dataset:(urn:li:dataPlatform:hive,absent,PROD)';
    const body = stringifyJson({ urns: [urn, absent], tests: [test], push: true });
    expectRejection(await catalog.http.post('/test?action=batchEvaluate', body), 404, absent);
    expect(await readResults(urn)).toBeUndefined();
  });

  pushSuite(calls);
  manyEntitiesSuite(calls);
  wrongTestsSuite(calls);

  it.each([
    ['no urn', {}, 400, "'urn'"],
    ['a malformed urn', { urn: 'dataset:x' }, 400, 'dataset:x'],
    ['an unknown entity type', { urn: 'urn:li:datset:x' }, 400, 'did you mean dataset'],
    ['an entity that does not exist', { urn: 'urn:li:tag:no-such-tag' }, 404, 'urn:li:tag:no-such-tag'],
    ['no list of tests', { urn: 'urn:li:tag:a', tests: 'x' }, 400, '/tests'],
    [
      'a test that is none',
      { urn: 'urn:li:tag:a', tests: ['urn:li:tag:a'] },
      400,
      'must be the urn of a test',
    ],
  ])('are rejected with %s', async (_, parameters, status, message) => {
    expectRejection(await evaluate(parameters), status, message);
  });

  it('are checked and evaluated before they are saved', async () => {
    const urns = [await newDataset('Orders'), await newDataset(), 'urn:li:tag:none'];
    const tryOut = async (rules: JsonOutputObject) => {
      const definition = stringifyJson({ on: { types: ['dataset'] }, rules: [rules] });
      const { json } = await catalog.http.post(
        '/test?action=tryDefinition',
        stringifyJson({ definition, urns }),
      );
      return at(json, 'value');
    };
    expect(await tryOut(DESCRIBED)).toEqual({
      faults: [],
      results: [
        { urn: urns[0], outcome: 'passing' },
        {
          urn: urns[1],
          outcome: 'failing',
          failures: [{ rule: '/rules/0', ...DESCRIBED, expected: [], found: [] }],
        },
      ],
    });
    expect(await tryOut({ ...DESCRIBED, operator: 'exist' })).toEqual({
      faults: [{ path: '/rules/0/operator', reason: expect.stringContaining('exist') }],
      results: [],
    });
    expect(await readResults(urns[0] ?? '')).toBeUndefined();
  });

  it('have a JSON Schema', async () => {
    const { status, headers, json } = await catalog.http.get('/test/schema');
    expect([status, headers['content-type']]).toEqual([
      200,
      expect.stringContaining('application/schema+json'),
    ]);
    expect(json).toMatchObject({ title: 'Metadata test', $defs: { predicate: {}, comparison: {} } });
  });
});
