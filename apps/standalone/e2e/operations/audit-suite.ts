import { describe, expect, it } from '@jest/globals';
import {
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonOutput,
  type JsonOutputObject,
  type JsonValue,
} from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import { ACTOR, WITH_TOKEN, truncation, type OperatorCalls } from './operator-calls';

/** The recorded calls. */
export function auditSuite({ catalog, ask }: OperatorCalls): void {
  describe('the audit', () => {
    const list = async (query: string): Promise<readonly JsonObject[]> => {
      const { json } = await catalog.http.get(`/operations/audit${query}`, WITH_TOKEN);
      return at(json, 'records') as unknown as readonly JsonObject[];
    };

    const CALLS = 10;
    /** The minute whose calls share a record may end once between the calls. */
    const expectFew = (records: readonly JsonObject[], expected: JsonObject): void => {
      expect([1, 2, 3, 4]).toContain(records.length);
      expect(records[0]).toMatchObject(expected);
    };
    /** Another address than that of the guesses, which is locked out. */
    const FROM_PROXY = { ...WITH_TOKEN, 'x-forwarded-for': '192.0.2.66, 203.0.113.8' };

    it('has a record of each call that may have changed something, rejected ones too', async () => {
      const call = 'POST /operations truncateTimeseriesAspect';
      await ask('truncateTimeseriesAspect', truncation());
      await ask('truncateTimeseriesAspect', truncation({ aspect: 'no-such-aspect' }));
      const of = {
        actor: ACTOR,
        token: 'operator',
        address: '127.0.0.1',
        call,
        durationMillis: expect.any(Number),
        timeMillis: expect.any(Number),
      };
      expect(await list(`?count=2&call=${encodeURIComponent(call)}`)).toEqual([
        {
          ...of,
          id: expect.any(Number),
          parameters: truncation({ aspect: 'no-such-aspect' }),
          outcome: 'rejected',
          status: 400,
        },
        { ...of, id: expect.any(Number), parameters: truncation(), outcome: 'done', status: 200 },
      ]);
    });

    it('has a record of a deletion', async () => {
      const urn = 'urn:li:tag:deleted-by-somebody';
      const deletion = stringifyJson({ urn });
      expect((await catalog.http.post('/entities?action=delete', deletion, WITH_TOKEN)).status).toBe(200);
      const call = encodeURIComponent('POST /entities delete');
      expect(await list(`?count=1&call=${call}`)).toMatchObject([
        { actor: ACTOR, parameters: { urn }, outcome: 'done', status: 200 },
      ]);
    });

    const propose = (members: JsonOutputObject): JsonOutputObject => ({
      entityType: 'domain',
      entityUrn: 'urn:li:domain:audited',
      changeType: 'UPSERT',
      aspectName: 'domainProperties',
      aspect: { contentType: 'application/json', value: '{"name":"audited"}' },
      ...members,
    });
    const write = async (action: string, body: JsonOutputObject): Promise<void> => {
      const answer = await catalog.http.post(`/aspects?action=${action}`, stringifyJson(body), WITH_TOKEN);
      expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
    };

    it('has a record of each change of a policy or of retention and of each deletion by a proposal, and of no other write', async () => {
      const call = encodeURIComponent('POST /aspects ingestProposal');
      await write('ingestProposal', { proposal: propose({}) });
      expect(await list(`?call=${call}`)).toEqual([]);
      const info = {
        displayName: 'Nobody',
        description: '',
        type: 'METADATA',
        state: 'INACTIVE',
        privileges: [],
        actors: {},
      };
      const changes = [
        propose({
          entityType: 'dataHubPolicy',
          entityUrn: 'urn:li:dataHubPolicy:audited',
          aspectName: 'dataHubPolicyInfo',
          aspect: { contentType: 'application/json', value: stringifyJson(info) },
        }),
        propose({
          entityType: 'dataHubRetention',
          entityUrn: 'urn:li:dataHubRetention:(chart,chartInfo)',
          aspectName: 'dataHubRetentionConfig',
          aspect: { contentType: 'application/json', value: '{"retention":{"version":{"maxVersions":7}}}' },
        }),
        propose({ changeType: 'DELETE', aspectName: 'domainKey', aspect: null }),
      ];
      for (const proposal of changes) await write('ingestProposal', { proposal });
      await write('ingestProposal', { proposal: changes[0] ?? {}, async: true });
      const records = await list(`?call=${call}`);
      expect(records.map(({ actor, outcome }) => [actor, outcome])).toEqual(Array(4).fill([ACTOR, 'done']));
      const changed = records.map(({ parameters }) => at(parameters, 'proposal', 'entityUrn'));
      expect(changed.reverse()).toEqual(
        [...changes, changes[0]].map((proposal) => at(proposal as JsonObject, 'entityUrn')),
      );
    });

    it('names the proposals of a large batch that a record is about', async () => {
      const padding = { contentType: 'application/json', value: stringifyJson({ name: 'x'.repeat(5_000) }) };
      const proposals = [
        propose({ entityUrn: 'urn:li:domain:large', aspect: padding }),
        propose({
          entityUrn: 'urn:li:domain:large',
          changeType: 'DELETE',
          aspectName: 'domainKey',
          aspect: null,
        }),
      ];
      await write('ingestProposalBatch', { proposals });
      const call = encodeURIComponent('POST /aspects ingestProposalBatch');
      expect(await list(`?count=1&call=${call}`)).toMatchObject([
        {
          parameters: {
            proposals: [{ entityUrn: 'urn:li:domain:large', changeType: 'DELETE', aspectName: 'domainKey' }],
            total: 1,
          },
        },
      ]);
    });

    it('has one record of a rejected call, without secrets, from the address that a trusted proxy names', async () => {
      const token = {
        authorization: 'Bearer a-wrong-token-of-somebody',
        'x-forwarded-for': '192.0.2.66, 203.0.113.7',
      };
      for (let times = 0; times < CALLS; times += 1) {
        expect((await ask('cancelTask', { task: 'node:7' }, token)).status).toBe(401);
      }
      const records = await list('?address=203.0.113.7&status=401');
      expectFew(records, {
        actor: 'urn:li:corpuser:unknown',
        call: 'POST /operations cancelTask',
        outcome: 'rejected',
        address: '203.0.113.7',
      });
      expect(stringifyJson(records as unknown as JsonOutput)).not.toContain('a-wrong-token');
      expect(await list('?address=192.0.2.66')).toEqual([]);
    });

    it('has a record of a read, and shares it with reads that follow', async () => {
      const query = `?address=203.0.113.8&call=${encodeURIComponent('GET /operations/tasks')}`;
      for (let times = 0; times < CALLS; times += 1) {
        expect((await catalog.http.get('/operations/tasks', FROM_PROXY)).status).toBe(200);
      }
      expectFew(await list(query), { actor: ACTOR, outcome: 'done', status: 200 });
    });

    it('is read page by page, with the token of the operator', async () => {
      const [first, second] = await list('?count=2');
      expect(await list(`?count=1&before=${String(first?.id as number)}`)).toEqual([second]);
      expect(await list(`?actor=urn:li:corpuser:nobody`)).toEqual([]);
      expect(await list('?to=2001-01-01')).toEqual([]);
      expect((await list('?from=2001-01-01&outcome=done')).length).toBeGreaterThan(0);
      expect((await catalog.http.get('/operations/audit')).status).toBe(401);
    });

    it('is exported as JSON lines', async () => {
      const call = encodeURIComponent('POST /operations truncateTimeseriesAspect');
      const records = await list(`?call=${call}`);
      const path = `/operations/audit?call=${call}`;
      const read = async (target: string, headers = {}): Promise<readonly JsonValue[]> => {
        const answer = await fetch(catalog.url + target, { headers: { ...WITH_TOKEN, ...headers } });
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
        return (await answer.text()).trimEnd().split('\n').map(parseJson);
      };
      expect(await read(`${path}&format=jsonl`)).toEqual(records);
      expect(await read(path, { accept: 'application/x-ndjson' })).toEqual(records);
      expect(await read(`${path}&format=jsonl&count=1`)).toEqual(records.slice(0, 1));
      expect((await catalog.http.get(`${path}&format=csv`, WITH_TOKEN)).json).toMatchObject({
        status: 400,
        message: expect.stringContaining('Parameter \'format\' is "csv"'),
      });
    });
  });
}
