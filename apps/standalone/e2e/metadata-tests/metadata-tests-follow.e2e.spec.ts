import { describe, it } from '@jest/globals';
import { stringifyJson, type JsonOutput, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const OWNER = 'ownership.owners.owner';
const ACTOR = 'urn:li:corpuser:__datahub_system';

describe('results of metadata tests that follow changes', () => {
  const catalog = catalogForSuite({
    environment: { STRATALOG_AUTH: 'none', STRATALOG_TEST_RESULTS: 'continuous' },
  });
  let count = 0;
  const name = (type: string): string => `urn:li:${type}:followed${String(++count)}`;
  const newDataset = async (description = 'Orders'): Promise<string> => {
    const urn = `urn:li:dataset:(urn:li:dataPlatform:hive,followed${String(++count)},PROD)`;
    await catalog.http.write(urn, 'datasetProperties', { description });
    return urn;
  };
  const define = (urn: string, rules: JsonOutput, types = ['dataset']): Promise<string> => {
    const definition = { type: 'JSON', json: stringifyJson({ on: { types }, rules }) };
    return catalog.http.write(urn, 'testInfo', { name: 'A test', category: 'c', definition });
  };
  const newTest = async (rules: JsonOutput): Promise<string> => {
    const urn = name('test');
    await define(urn, rules);
    return urn;
  };
  const own = (urn: string, owner: string): Promise<string> =>
    catalog.http.write(urn, 'ownership', { owners: [{ owner, type: 'DATAOWNER' }] });
  const outcome = async (urn: string, test: string): Promise<string | undefined> => {
    const { json } = await catalog.http.entity(urn, '?aspects=List(testResults)');
    return ['passing', 'failing'].find((list) => {
      const results = at(json, 'aspects', 'testResults', 'value', list) as readonly JsonValue[] | undefined;
      return results?.some((result) => at(result, 'test') === test);
    });
  };
  const becomes = (urn: string, test: string, expected: string | undefined): Promise<void> =>
    until(async () => (await outcome(urn, test)) === expected);

  it('are written after a change of an aspect that a test reads, and after the creation of an entity', async () => {
    const test = await newTest({ property: OWNER, operator: 'exists' });
    const urn = await newDataset();
    await becomes(urn, test, 'failing');
    await own(urn, 'urn:li:corpuser:a');
    await becomes(urn, test, 'passing');
    await catalog.http.ingest({
      urn,
      aspectName: 'ownership',
      value: '',
      members: { changeType: 'DELETE', aspect: undefined },
    });
    await becomes(urn, test, 'failing');
  });

  it('are written after a timeseries value', async () => {
    const test = await newTest({ property: 'datasetProfile.rowCount', operator: 'greater_than', value: 5 });
    const urn = await newDataset();
    await becomes(urn, test, 'failing');
    await catalog.http.write(urn, 'datasetProfile', { timestampMillis: Date.now(), rowCount: 9 });
    await becomes(urn, test, 'passing');
  });

  it('are written after a change behind references, two of them too', async () => {
    const user = name('corpuser');
    const status = (text: string): Promise<string> =>
      catalog.http.write(user, 'corpUserStatus', { status: text, lastModified: { time: 0, actor: ACTOR } });
    await status('ACTIVE');
    const [upstream, urn] = [await newDataset(), await newDataset()];
    await own(upstream, user);
    await catalog.http.write(urn, 'upstreamLineage', {
      upstreams: [{ dataset: upstream, type: 'TRANSFORMED' }],
    });
    const isActive = { operator: 'equals', value: 'ACTIVE' };
    const direct = await newTest({ property: `${OWNER}.corpUserStatus.status`, ...isActive });
    const far = await newTest({
      property: `upstreamLineage.upstreams.dataset.${OWNER}.corpUserStatus.status`,
      ...isActive,
    });
    await becomes(upstream, direct, 'passing');
    await becomes(urn, far, 'passing');
    await status('SUSPENDED');
    await becomes(upstream, direct, 'failing');
    await becomes(urn, far, 'failing');
  });

  it('follow the definition of a test, and go with the test', async () => {
    const urn = await newDataset('Orders');
    const equals = (value: string): JsonOutputObject => ({
      property: 'datasetProperties.description',
      operator: 'equals',
      value,
    });
    const test = await newTest(equals('Sales'));
    await becomes(urn, test, 'failing');
    await define(test, equals('Orders'));
    await becomes(urn, test, 'passing');
    await define(test, [], ['chart']);
    await becomes(urn, test, undefined);
    await define(test, equals('Orders'));
    await becomes(urn, test, 'passing');
    await catalog.http.post('/entities?action=delete', stringifyJson({ urn: test }));
    await becomes(urn, test, undefined);
  });

  it('are all evaluated again from time to time, for tests that depend on it', async () => {
    const test = await newTest({ property: OWNER, operator: 'exists' });
    const urn = await newDataset();
    await becomes(urn, test, 'failing');
    // Results themselves cause no evaluation.
    await catalog.http.write(urn, 'testResults', { passing: [{ test, type: 'SUCCESS' }], failing: [] });
    const refresh = { kind: 'refresh-test-results', parameters: {}, actor: ACTOR };
    // The one of the start may be under way, and past this entity.
    const { task } = await catalog.deps.tasks.create(refresh);
    await until(async () => (await catalog.deps.tasks.read(task.id))?.endedMs !== undefined);
    await catalog.deps.tasks.create(refresh);
    await becomes(urn, test, 'failing');
  });
});
