import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppProgram, buildBundles, plainEnvironment } from '@stratalog/harness';
import { stringifyJson } from '@stratalog/json';
import { createScratchDatabase, type ScratchDatabase } from '@stratalog/runtime';
import { toBody } from '../testing/catalog/catalog-client';
import { freePort } from '../testing/catalog/free-port';
import { Assistant } from './assistant';

const OPERATOR = 'the-token-of-the-operator';
const START_MS = limitMs(180_000);
const TAG = 'urn:li:tag:distributed';
const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';

describe('an assistant of a distributed catalog', () => {
  const programs: AppProgram[] = [];
  let database: ScratchDatabase;
  let url: string;
  const headers = { authorization: `Bearer ${OPERATOR}` };

  beforeAll(async () => {
    buildBundles();
    database = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    const name = `t${randomBytes(4).toString('hex')}`;
    const port = await freePort();
    url = `http://127.0.0.1:${String(port)}`;
    const environment = {
      ...plainEnvironment(),
      STRATALOG_PROFILE: 'distributed',
      STRATALOG_PORT: '0',
      STRATALOG_TOKEN: OPERATOR,
      STRATALOG_BASE_URL: url,
      STRATALOG_MCP_WRITES: 'on',
      STRATALOG_PROXY_USER_HEADER: 'X-Remote-User',
      STRATALOG_PROXY_USER_SCOPES: 'read,write',
      DATABASE_URL: database.url,
      KAFKA_BROKERS: process.env.STRATALOG_TEST_KAFKA_BROKERS,
      ELASTICSEARCH_URL: process.env.STRATALOG_TEST_ELASTICSEARCH_URL,
      KAFKA_TOPIC_PREFIX: `${name}.`,
      STRATALOG_INDEX_PREFIX: name,
      STRATALOG_PARTITIONS: '2',
    };
    const start = (app: string, settings: NodeJS.ProcessEnv = {}): Promise<string> => {
      const program = new AppProgram(app, { environment: { ...environment, ...settings } });
      programs.push(program);
      return program.ready(START_MS);
    };
    // The first app creates topics and tables; the others find them. No call of this suite gets to the apps that are not there.
    const ingest = await start('ingest');
    const [query] = await Promise.all([start('query'), start('writer')]);
    await start('proxy', {
      STRATALOG_PORT: String(port),
      STRATALOG_INGEST_URLS: ingest,
      STRATALOG_QUERY_URLS: query,
      STRATALOG_GRAPH_URLS: query,
      STRATALOG_ADMIN_URLS: query,
    });
    for (const [urn, aspectName, value] of [
      [TAG, 'tagProperties', { name: 'distributed' }],
      [ORDERS, 'datasetProperties', { name: 'orders' }],
    ] as const) {
      const { status } = await fetch(`${url}/aspects?action=ingestProposal`, {
        method: 'POST',
        headers,
        body: toBody({ urn, aspectName, value }),
      });
      expect(status).toBe(200);
    }
  }, 3 * START_MS);
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.stop()));
    await database.drop();
  });

  it('reads through the proxy, and writes through it again, with the rights of its caller', async () => {
    const assistant = await Assistant.connect({ url }, OPERATOR);
    const written = await assistant.call('change_tags', { urn: ORDERS, add: [TAG] });
    expect([written.isError, written.text]).toEqual([
      false,
      expect.stringContaining(`"written":"${ORDERS}"`),
    ]);
    const { data } = await assistant.call('get_entity', { urn: ORDERS, aspects: ['globalTags'] });
    expect(stringifyJson(data)).toContain(TAG);
    await assistant.end();
  });

  it.each([
    ['whom a proxy names', undefined, { 'X-Remote-User': 'grace' }, 'urn:li:corpuser:grace'],
    [
      'for whom the operator speaks',
      OPERATOR,
      { 'X-DataHub-Actor': 'urn:li:corpuser:ada' },
      'urn:li:corpuser:ada',
    ],
  ])('writes for a user %s', async (_whom, token, sent, actor) => {
    const assistant = await Assistant.connect({ url }, token, sent);
    const written = await assistant.call('set_description', { urn: ORDERS, description: `By ${actor}` });
    expect([written.isError, written.text]).toEqual([false, expect.anything()]);
    const { data } = await assistant.call('get_entity', {
      urn: ORDERS,
      aspects: ['editableDatasetProperties'],
    });
    expect(data.aspects).toContainEqual({
      name: 'editableDatasetProperties',
      changed: expect.objectContaining({ actor }),
      value: expect.objectContaining({ description: `By ${actor}` }),
    });
    await assistant.end();
  });

  it('changes by GraphQL go through the proxy again, and the answer has the position of the write', async () => {
    const send = (query: string, token: string): Promise<Response> =>
      fetch(`${url}/api/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: stringifyJson({ query }),
      });
    const describe = `mutation {updateDescription(input: {resourceUrn: "${ORDERS}", description: "Of today"})}`;
    const written = await send(describe, OPERATOR);
    expect([written.headers.get('x-stratalog-position'), await written.json()]).toEqual([
      expect.stringMatching(/^[0-9a-f]{8}\./),
      { data: { updateDescription: true } },
    ]);
    const read = `{entity(urn: "${ORDERS}") {... on Dataset {editableProperties {description}}}}`;
    expect(await (await send(read, OPERATOR)).json()).toEqual({
      data: { entity: { editableProperties: { description: 'Of today' } } },
    });
    const missing = `mutation {addTag(input: {resourceUrn: "${ORDERS}", tagUrn: "urn:li:tag:missing"})}`;
    expect(await (await send(missing, OPERATOR)).json()).toMatchObject({
      data: { addTag: null },
      errors: [{ message: 'urn:li:tag:missing does not exist' }],
    });
    expect((await send(describe, 'a-token-of-nobody')).status).toBe(401);
  });

  it('a call without a token is a 401 that names the metadata at the address of the catalog', async () => {
    const answer = await fetch(`${url}/mcp`, { method: 'POST', body: '{}' });
    const place = `${url}/.well-known/oauth-protected-resource/mcp`;
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${place}"`,
    ]);
    expect(await (await fetch(place)).json()).toMatchObject({ resource: `${url}/mcp` });
  });
});
