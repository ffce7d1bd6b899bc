import { describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutput, type JsonOutputObject, type JsonValue } from '@stratalog/model';
import { until } from '@stratalog/testkit';
import { at } from './testing/catalog/catalog-client';
import { catalogForSuite } from './testing/catalog/suite-catalog';
import { expectRejection } from './testing/catalog/wire-case';

const AUDITOR = 'urn:li:corpuser:__datahub_system';
const OWNED = { property: 'ownership.owners.owner', operator: 'exists' };
const DESCRIBED = { property: 'datasetProperties.description', operator: 'exists' };

describe('metadata tests', () => {
  const catalog = catalogForSuite({ environment: { STRATALOG_AUTH: 'none' } });
  let count = 0;
  const newDataset = async (description?: string): Promise<string> => {
    const urn = `urn:li:dataset:(urn:li:dataPlatform:hive,tested${String(++count)},PROD)`;
    await catalog.http.write(urn, 'datasetProperties', description === undefined ? {} : { description });
    return urn;
  };
  const toInfo = (definition: JsonOutputObject | string): JsonOutputObject => ({
    name: 'A test',
    category: 'Completeness',
    definition: {
      type: 'JSON',
      json: typeof definition === 'string' ? definition : stringifyJson(definition),
    },
  });
  const newTest = async (rules: JsonOutput, types = ['dataset']): Promise<string> => {
    const urn = `urn:li:test:t${String(++count)}`;
    await catalog.http.write(urn, 'testInfo', toInfo({ on: { types }, rules }));
    return urn;
  };
  const evaluate = (parameters: JsonOutputObject, prefix = '') =>
    catalog.http.post(`${prefix}/test?action=evaluate`, stringifyJson(parameters));
  const readResults = async (urn: string): Promise<JsonValue | undefined> => {
    const { json } = await catalog.http.entity(urn, '?aspects=List(testResults)');
    return at(json, 'aspects', 'testResults', 'value');
  };

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

  it('without names are all of the catalog, and those of other types are in neither list', async () => {
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
    const user = `urn:li:corpuser:tester${String(++count)}`;
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

  it('of several entities are not evaluated when one does not exist, and nothing is written', async () => {
    const urn = await newDataset('Orders');
    const test = await newTest(DESCRIBED);
    const absent = 'urn:li:dataset:(urn:li:dataPlatform:hive,absent,PROD)';
    const body = stringifyJson({ urns: [urn, absent], tests: [test], push: true });
    expectRejection(await catalog.http.post('/test?action=batchEvaluate', body), 404, absent);
    expect(await readResults(urn)).toBeUndefined();
  });

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

    it('are written as a proposal, with history, and only when something changed', async () => {
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

    it('of every test replace the results, and of some tests keep the others', async () => {
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

    it('at the same time lose no result', async () => {
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

    it('write nothing to an entity of a type without results', async () => {
      const urn = `urn:li:dataPlatform:tested${String(++count)}`;
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

    it('are evaluated by a task, which writes the results and counts them', async () => {
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

    it('are those of every type unless types are named, and more than a step takes', async () => {
      const name = `many${String(++count)}`;
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

    it('have errors with their reasons, until the test can be evaluated', async () => {
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

    it('are those that a search finds, with every write before the task', async () => {
      const word = `selected${String(++count)}`;
      const urns = [await newDataset(`The ${word} orders`), await newDataset(`Orders, ${word}`)];
      const [beside, removed] = [await newDataset('Orders'), await newDataset(word)];
      await catalog.http.write(removed, 'status', { removed: true });
      const test = await newTest(DESCRIBED);
      expect(
        await run({ query: `description:${word}`, entityTypes: ['dataset'], tests: [test] }),
      ).toMatchObject({
        progress: { done: 2, total: 2 },
        outcome: { evaluated: 2, written: 2, passing: 2 },
      });
      expect(await readResults(urns[1] ?? '')).toMatchObject({ passing: [{ test }] });
      expect([await readResults(beside), await readResults(removed)]).toEqual([undefined, undefined]);
      expect(await run({ query: `${word} ${word}none`, tests: [test] })).toMatchObject({
        progress: { done: 0, total: 0 },
        outcome: { evaluated: 0 },
      });
      expect(await run({ query: '\0 \ud800', tests: [test] })).toMatchObject({ state: 'completed' });
    });

    it('lose the results of a test that is no more', async () => {
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
    ])('are rejected with %s', async (_, parameters, message) => {
      expectRejection(await start(parameters), 400, message);
    });

    it.each([
      ['another type', 'urn:li:tag:a', '', 400, 'must be the urn of a test'],
      ['a test that does not exist', 'urn:li:test:none', '', 404, 'urn:li:test:none'],
      ['an unknown outcome', 'urn:li:test:none', '?outcome=unknown', 400, "'outcome'"],
    ])('have no results of %s', async (_, urn, query, status, message) => {
      const answer = await catalog.http.get(`/tests/${encodeURIComponent(urn)}/results${query}`);
      expectRejection(answer, status, message);
    });
  });

  describe('that are wrong', () => {
    it.each([
      [
        'an unknown path',
        {
          on: { types: ['dataset'] },
          rules: [{ property: 'datasetProperties.descripton', operator: 'exists' }],
        },
        '/definition/json/rules/0/property :: unknown field descripton of com.linkedin.dataset.DatasetProperties; did you mean description?',
      ],
      [
        'an operator that does not fit',
        {
          on: { types: ['dataset'] },
          rules: [{ property: 'datasetProperties.name', operator: 'less_than', value: 1 }],
        },
        '/definition/json/rules/0/operator :: less_than does not fit datasetProperties.name, which is a text',
      ],
      [
        'a regular expression that could take for ever',
        {
          on: { types: ['dataset'] },
          rules: [{ property: 'datasetProperties.name', operator: 'matches', value: '(a+)\\1' }],
        },
        '/definition/json/rules/0/value :: is no regular expression of RE2',
      ],
      ['no JSON', 'rules', '/definition/json :: is not JSON'],
    ])('by %s are rejected when they are saved', async (_, definition, message) => {
      const urn = `urn:li:test:wrong${String(++count)}`;
      const answer = await catalog.http.ingest({ urn, aspectName: 'testInfo', value: toInfo(definition) });
      expectRejection(answer, 422, message);
      const exists = await catalog.http.post('/entities?action=exists', stringifyJson({ urn }));
      expect(exists.json).toEqual({ value: false });
    });

    it('by a patch are rejected, and the stored definition stays', async () => {
      const urn = await newTest(DESCRIBED);
      const stored = (await catalog.http.entity(urn)).json;
      const json = '{"on":{"types":["datset"]},"rules":[]}';
      const patch = [{ op: 'replace', path: '/definition/json', value: json }];
      const answer = await catalog.http.ingest({
        urn,
        aspectName: 'testInfo',
        value: stringifyJson({ patch, arrayPrimaryKeys: {}, forceGenericPatch: true }),
        members: { changeType: 'PATCH' },
      });
      expectRejection(answer, 422, 'is no entity type: datset; did you mean dataset?');
      expect((await catalog.http.entity(urn)).json).toEqual(stored);
    });

    it.each([
      ['a draft', '{}'],
      ['no text', ''],
    ])('but %s is saved, and tests nothing', async (_, text) => {
      const urn = await newDataset('Orders');
      const test = `urn:li:test:draft${String(++count)}`;
      await catalog.http.write(test, 'testInfo', toInfo(text));
      const { json } = await evaluate({ urn, tests: [test] });
      expect(json).toEqual({ value: { passing: [], failing: [] } });
    });
  });

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

  it('have a JSON Schema', async () => {
    const { status, headers, json } = await catalog.http.get('/test/schema');
    expect([status, headers['content-type']]).toEqual([
      200,
      expect.stringContaining('application/schema+json'),
    ]);
    expect(json).toMatchObject({ title: 'Metadata test', $defs: { predicate: {}, comparison: {} } });
  });
});
