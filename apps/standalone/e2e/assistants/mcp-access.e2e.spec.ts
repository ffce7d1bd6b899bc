import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import { OidcIssuer, makeKeys } from '@stratalog/http/testing';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import { SuiteCatalog, catalogForSuite } from '../testing/catalog/suite-catalog';
import { Assistant } from './assistant';

const OPERATOR = 'an-operators-token-of-our-own';
const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const PII = 'urn:li:tag:pii';
const TERM = 'urn:li:glossaryTerm:Revenue';
const ADA = 'urn:li:corpuser:ada';
const BASE = 'https://catalog.example.org';
const METADATA = '.well-known/oauth-protected-resource';
const by = (token: string) => ({ authorization: `Bearer ${token}` });
const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
const WRITES = ['set_description', 'change_tags', 'change_terms', 'change_owners'];

describe('assistants whose calls need a token', () => {
  const catalog = catalogForSuite({
    environment: {
      STRATALOG_AUTH: 'all',
      STRATALOG_TOKEN: OPERATOR,
      STRATALOG_MCP_WRITES: 'on',
      STRATALOG_BASE_URL: BASE,
      STRATALOG_JWT_ISSUER: 'https://identity.example.org/realm',
      STRATALOG_JWT_AUDIENCE: `${BASE}/mcp`,
    },
  });
  const makeToken = async (members: JsonOutputObject): Promise<string> => {
    const grant = { name: 'an assistant', actor: ADA, ...members };
    const answer = await catalog.http.post(
      '/operations?action=createToken',
      stringifyJson(grant),
      by(OPERATOR),
    );
    return at(answer.json, 'value', 'token') as string;
  };
  const write = (urn: string, aspectName: string, value: JsonOutputObject) =>
    catalog.http.ingest({ urn, aspectName, value, headers: by(OPERATOR) });
  const read = async (urn: string, aspect: string) =>
    at(
      (await catalog.http.get(`/entitiesV2/${encodeURIComponent(urn)}`, by(OPERATOR))).json,
      'aspects',
      aspect,
      'value',
    );
  let reader: Assistant;
  let writer: Assistant;

  beforeAll(async () => {
    await write(ORDERS, 'datasetProperties', { name: 'orders' });
    await write(PII, 'tagProperties', { name: 'pii' });
    await write(TERM, 'glossaryTermInfo', { definition: 'x', termSource: 'INTERNAL' });
    await write(ADA, 'corpUserInfo', { active: true });
    reader = await Assistant.connect(catalog, await makeToken({ scopes: ['read'] }));
    writer = await Assistant.connect(catalog, await makeToken({ scopes: ['read', 'write'] }));
  });
  afterAll(async () => {
    await reader.end();
    await writer.end();
  });

  it('a call without a token is a 401 that points to the metadata, which names the issuer', async () => {
    const { status, headers } = await catalog.http.post('/mcp', LIST);
    expect([status, headers['www-authenticate']]).toEqual([
      401,
      `Bearer resource_metadata="${BASE}/${METADATA}/mcp"`,
    ]);
    const metadata = await catalog.http.get(`/${METADATA}/mcp`);
    expect([metadata.status, metadata.json]).toEqual([
      200,
      {
        resource: `${BASE}/mcp`,
        authorization_servers: ['https://identity.example.org/realm'],
        scopes_supported: ['stratalog.read', 'stratalog.write', 'stratalog.operate', 'stratalog.admin'],
        bearer_methods_supported: ['header'],
        resource_name: 'Stratalog',
      },
    ]);
    expect((await catalog.http.get(`/${METADATA}`)).json).toMatchObject({ resource: BASE });
    const other = await catalog.http.get(`/entitiesV2/${PII}`);
    expect([other.status, other.headers['www-authenticate']]).toEqual([401, 'Bearer']);
  });

  it('the client gets no connection without a token, or with a wrong one', async () => {
    await expect(Assistant.connect(catalog)).rejects.toThrow('401');
    await expect(Assistant.connect(catalog, 'a-wrong-token-of-someone')).rejects.toThrow('401');
  });

  it('a token without the scope read is rejected', async () => {
    const token = await makeToken({ scopes: ['operate'] });
    const { status, json } = await catalog.http.post('/mcp', LIST, by(token));
    expect([status, at(json, 'message')]).toEqual([403, expect.stringContaining('needs the scope read')]);
  });

  it('a reader reads, and is told which scope a write needs', async () => {
    expect((await reader.call('get_entity', { urn: ORDERS })).data).toMatchObject({ urn: ORDERS });
    const { isError, text } = await reader.call('set_description', { urn: ORDERS, description: 'mine' });
    expect([isError, text]).toEqual([true, expect.stringContaining('needs the scope write')]);
    expect(await read(ORDERS, 'editableDatasetProperties')).toBeUndefined();
  });

  it('rejected calls are recorded for audits, as calls of the routes behind the tool', async () => {
    await reader.call('change_tags', { urn: ORDERS, add: [PII] });
    const { json } = await catalog.http.get('/operations/audit?count=100', by(OPERATOR));
    expect(stringifyJson(json)).toContain('ingestProposal');
  });

  it('a token that is limited to some entity types reads only those', async () => {
    const token = await makeToken({ scopes: ['read'], entityTypes: ['tag'] });
    const limited = await Assistant.connect(catalog, token);
    expect((await limited.call('get_entity', { urn: PII })).isError).toBe(false);
    const { isError, text } = await limited.call('get_entity', { urn: ORDERS });
    expect([isError, text]).toEqual([true, expect.stringContaining('is not of the entity types tag')]);
    await limited.end();
  });

  describe('with the scope write', () => {
    it('lists the writing tools, which say that they write', async () => {
      const { tools } = await writer.client.listTools();
      const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint === false);
      expect(writing.map(({ name }) => name)).toEqual(WRITES);
    });

    it('describes an entity and a column', async () => {
      const { data } = await writer.call('set_description', {
        urn: ORDERS,
        description: 'Orders of the shop',
      });
      expect(data).toMatchObject({ written: ORDERS, aspect: 'editableDatasetProperties' });
      expect(await read(ORDERS, 'editableDatasetProperties')).toMatchObject({
        description: 'Orders of the shop',
      });
      await writer.call('set_description', { urn: ORDERS, column: 'id/of~it', description: 'The number' });
      expect(await read(ORDERS, 'editableSchemaMetadata')).toMatchObject({
        editableSchemaFieldInfo: [{ fieldPath: 'id/of~it', description: 'The number' }],
      });
    });

    it('adds and removes tags of an entity and of a column, and leaves the others', async () => {
      await write(ORDERS, 'globalTags', { tags: [{ tag: 'urn:li:tag:gold' }] });
      await writer.call('change_tags', { urn: ORDERS, add: [PII] });
      expect(await read(ORDERS, 'globalTags')).toEqual({ tags: [{ tag: 'urn:li:tag:gold' }, { tag: PII }] });
      await writer.call('change_tags', { urn: ORDERS, remove: ['urn:li:tag:gold', 'urn:li:tag:absent'] });
      expect(await read(ORDERS, 'globalTags')).toEqual({ tags: [{ tag: PII }] });
      await writer.call('change_tags', { urn: ORDERS, column: 'amount', add: [PII] });
      const columns = at(await read(ORDERS, 'editableSchemaMetadata'), 'editableSchemaFieldInfo');
      expect(columns).toContainEqual({ fieldPath: 'amount', globalTags: { tags: [{ tag: PII }] } });
    });

    it('adds and removes terms of an entity and of a column', async () => {
      const added = await writer.call('change_terms', { urn: ORDERS, add: [TERM] });
      expect([added.isError, added.text]).toEqual([false, expect.anything()]);
      expect(await read(ORDERS, 'glossaryTerms')).toMatchObject({ terms: [{ urn: TERM }] });
      const ofColumn = await writer.call('change_terms', { urn: ORDERS, column: 'amount', add: [TERM] });
      expect([ofColumn.isError, ofColumn.text]).toEqual([false, expect.anything()]);
      await writer.call('change_terms', { urn: ORDERS, remove: [TERM] });
      expect(await read(ORDERS, 'glossaryTerms')).toMatchObject({ terms: [] });
    });

    it('adds and removes owners in a role', async () => {
      const added = await writer.call('change_owners', { urn: ORDERS, role: 'DATA_STEWARD', add: [ADA] });
      expect([added.isError, added.text]).toEqual([false, expect.anything()]);
      expect(await read(ORDERS, 'ownership')).toMatchObject({
        owners: [{ owner: ADA, type: 'DATA_STEWARD' }],
      });
      await writer.call('change_owners', { urn: ORDERS, role: 'DATA_STEWARD', remove: [ADA] });
      expect(await read(ORDERS, 'ownership')).toMatchObject({ owners: [] });
    });

    test.each([
      ['set_description', { urn: 'urn:li:tag:nobody', description: 'x' }, 'no description by people'],
      ['set_description', { urn: ORDERS.replace('orders', 'none'), description: 'x' }, 'Did not find urn'],
      ['set_description', { urn: ORDERS, description: 'x'.repeat(40_000) }, 'longer than 32768 bytes'],
      ['change_tags', { urn: ORDERS }, "Parameter 'add' or 'remove' is required"],
      ['change_tags', { urn: ORDERS, add: [TERM] }, `${TERM} is not the urn of a tag`],
      ['set_description', { urn: 'no urn', description: 'x' }, "'urn' value 'no urn' is invalid: is no urn"],
      ['set_description', { urn: '..', description: 'x' }, "'urn' value '..' is invalid: is no urn"],
      ['change_tags', { urn: '..', add: [PII] }, "'urn' value '..' is invalid: is no urn"],
      ['change_tags', { urn: ORDERS, add: ['..'] }, '/add/0 :: is no urn: it must start with "urn:"'],
      ['change_owners', { urn: ORDERS, remove: [ADA, ''] }, '/remove/1 :: is no urn'],
      ['change_tags', { urn: ORDERS, add: ['urn:li:tag:invented'] }, 'Did not find urn: urn:li:tag:invented'],
      ['change_owners', { urn: ORDERS, add: [ADA], role: 'BOSS' }, 'it must be one of TECHNICAL_OWNER'],
      ['change_owners', { urn: ORDERS, add: [PII] }, 'corpuser'],
    ])('%s %j changes nothing, and the error says why', async (name, given, words) => {
      const before = await catalog.deps.store.readPartitionSequences();
      const { isError, text } = await writer.call(name, given);
      expect([isError, text]).toEqual([true, expect.stringContaining(words)]);
      expect(await catalog.deps.store.readPartitionSequences()).toEqual(before);
    });
  });

  describe('the rim', () => {
    test.each([
      ['a page of another site', LIST, { origin: 'https://other.example' }, 403, 'Pages of other sites'],
      ['no JSON', '{', {}, 400, 'JSON'],
      ['a batch', `[${LIST}]`, {}, 400, 'not a JSON object'],
      ['another version of JSON-RPC', LIST.replace('2.0', '1.0'), {}, 400, 'allowed: 2.0'],
      ['no method', '{"jsonrpc":"2.0","id":1}', {}, 400, "Parameter 'method' is required"],
      ['an unknown protocol', LIST, { 'mcp-protocol-version': '1999-01-01' }, 400, 'protocol version'],
      ['a body of more than 1 MB', LIST.padEnd(1_100_000), {}, 413, '1048576'],
    ])('%s is rejected in the form of every other rejection', async (_what, body, headers, status, words) => {
      const answer = await catalog.http.post('/mcp', body, { ...by(OPERATOR), ...headers });
      expect([answer.status, at(answer.json, 'message')]).toEqual([status, expect.stringContaining(words)]);
    });

    it('a name that a page made resolve to this machine is rejected', async () => {
      const [answer] = (await once(
        request(`${catalog.url}/mcp`, {
          method: 'POST',
          headers: { ...by(OPERATOR), host: 'rebound.example' },
        }).end(LIST),
        'response',
      )) as [IncomingMessage];
      answer.resume();
      expect(answer.statusCode).toBe(403);
    });

    it('there are no streams and no sessions', async () => {
      for (const method of ['GET', 'DELETE']) {
        const { status, headers } = await catalog.http.send({
          method,
          target: '/mcp',
          headers: by(OPERATOR),
        });
        expect([method, status, headers.allow]).toEqual([method, 405, 'POST, OPTIONS']);
      }
      const hello = {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
      };
      const begun = await catalog.http.post('/mcp', stringifyJson(hello), by(OPERATOR));
      expect([begun.status, begun.headers['mcp-session-id']]).toEqual([200, undefined]);
      // Any process may answer the next message.
      expect((await catalog.http.post('/mcp', LIST, by(OPERATOR))).status).toBe(200);
    });

    it('a notification is a 202 without a body', async () => {
      const note = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
      const { status, body } = await catalog.http.post('/mcp', note, by(OPERATOR));
      expect([status, body]).toEqual([202, '']);
    });
  });
});

describe('assistants with a token of the identity provider', () => {
  const catalog = new SuiteCatalog();
  let issuer: OidcIssuer;
  beforeAll(async () => {
    issuer = await OidcIssuer.start(await makeKeys('RS256'));
    await catalog.start({
      environment: {
        STRATALOG_AUTH: 'all',
        STRATALOG_TOKEN: OPERATOR,
        STRATALOG_BASE_URL: BASE,
        STRATALOG_JWT_ISSUER: issuer.url,
        STRATALOG_JWT_AUDIENCE: `${BASE}/mcp`,
      },
    });
  });
  afterAll(async () => {
    await catalog.end();
    await issuer.stop();
  });

  it('the metadata leads to a token, which the catalog accepts', async () => {
    const { headers } = await catalog.http.post('/mcp', LIST);
    const [, place = ''] = /resource_metadata="([^"]+)"/.exec(headers['www-authenticate'] ?? '') ?? [];
    const { json } = await catalog.http.get(new URL(place).pathname);
    expect(at(json, 'authorization_servers')).toEqual([issuer.url]);
    const token = await issuer.issueToken('stratalog.read', at(json, 'resource') as string);
    const assistant = await Assistant.connect(catalog, token);
    expect(await assistant.tools()).toContain('search');
    expect((await assistant.call('search', { query: '*' })).isError).toBe(false);
    await assistant.end();
  });
});

describe('assistants under limits and policies', () => {
  const catalog = catalogForSuite({
    environment: {
      STRATALOG_AUTH: 'all',
      STRATALOG_TOKEN: OPERATOR,
      STRATALOG_MCP_WRITES: 'on',
      STRATALOG_POLICIES: 'on',
      STRATALOG_READS_PER_SECOND: '2',
    },
  });

  it('policies decide about writes, and rates about calls, in the words of every other call', async () => {
    await catalog.http.ingest({ urn: ORDERS, aspectName: 'status', value: {}, headers: by(OPERATOR) });
    const made = await catalog.http.post(
      '/operations?action=createToken',
      stringifyJson({ name: 'an assistant', actor: ADA, scopes: ['read', 'write'] }),
      by(OPERATOR),
    );
    const assistant = await Assistant.connect(catalog, at(made.json, 'value', 'token') as string);
    const written = await assistant.call('set_description', { urn: ORDERS, description: 'mine' });
    expect([written.isError, written.text]).toEqual([true, expect.stringContaining('polic')]);
    const answers: string[] = [];
    while (!answers.some((each) => each.includes('429') || each.includes('calls'))) {
      const answer = await assistant.call('get_entity', { urn: ORDERS }).catch((error: unknown) => ({
        text: String(error),
      }));
      answers.push(answer.text);
    }
    expect(answers.length).toBeLessThan(30);
    await assistant.end();
  });
});
