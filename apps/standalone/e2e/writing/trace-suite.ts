import { expect, it, jest } from '@jest/globals';
import { stringifyJson, type JsonOutput, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import type { VersionPage } from '@stratalog/ports';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const tagOf = (name: string): string => `urn:li:tag:${name}`;
const OPERATOR = 'the-token-of-the-operator';
const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.traced,PROD)';

/** What became of writes, on a catalog with these settings. */
export function traceSuite(environment: Readonly<Record<string, string>>): void {
  const catalog = catalogForSuite({ environment: { ...environment, STRATALOG_TOKEN: OPERATOR } });
  const write = (
    urn: string,
    aspects: JsonOutputObject,
    { query = '?async=true', type = 'tag', method = 'POST' } = {},
  ): Promise<Answer> =>
    catalog.http.send({
      method,
      target: `/openapi/v3/entity/${type}${query}`,
      body: stringifyJson([{ urn, ...aspects }]),
    });
  const named = (name: string, headers: Readonly<Record<string, string>> = {}) => ({
    tagProperties: { value: { name }, headers },
  });
  const traceOf = ({ headers }: Answer): string => headers.traceparent ?? '';
  const ask = (trace: string, body: JsonOutput, query = ''): Promise<Answer> =>
    catalog.http.post(`/openapi/v1/trace/write/${trace}${query}`, stringifyJson(body));
  /** Asks as the client does: again while anything is pending. */
  const settled = async (trace: string, urn: string, aspect: string): Promise<JsonValue | undefined> => {
    let state: JsonValue | undefined;
    await until(async () => {
      state = at((await ask(trace, { [urn]: [aspect] })).json, urn, aspect);
      return !stringifyJson(state ?? 'PENDING').includes('PENDING');
    });
    return state;
  };
  const stateOf = (status: string) => ({
    success: true,
    primaryStorage: { writeStatus: status },
    searchStorage: { writeStatus: status },
    graphStorage: { writeStatus: status },
  });

  it('follows a write from the log into the store and each index', async () => {
    const urn = tagOf('followed');
    const before = Date.now();
    const answer = await write(urn, { ...named('followed'), status: { value: { removed: false } } });
    const traceparent = traceOf(answer);
    expect([answer.status, traceparent]).toEqual([
      202,
      expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
    ]);
    const trace = traceparent.split('-')[1] ?? '';
    expect(Math.abs(Number.parseInt(trace.slice(0, 16), 16) / 1_000 - before)).toBeLessThan(60_000);
    for (const aspect of ['tagProperties', 'status'])
      expect(await settled(trace, urn, aspect)).toEqual(stateOf('ACTIVE_STATE'));
    expect((await catalog.http.find('followed', { entity: 'tag' })).urns).toContain(urn);
    const both = await ask(traceparent, { [urn]: ['tagProperties', 'status'] }, '?detailed=true');
    expect([both.status, Object.keys(at(both.json, urn) as object)]).toEqual([
      200,
      ['tagProperties', 'status'],
    ]);
    expect((await ask(trace, { [urn]: ['status'] }, '?onlyIncludeErrors=true')).json).toEqual({});
  });

  it('tells a replaced write, an unchanged one, and a patch', async () => {
    const urn = tagOf('replaced');
    const first = traceOf(await write(urn, named('one')));
    const same = traceOf(await write(urn, named('one')));
    const patch = { tagProperties: { value: { patch: [{ op: 'replace', path: '/name', value: 'two' }] } } };
    const second = traceOf(await write(urn, patch, { method: 'PATCH' }));
    expect(await settled(second, urn, 'tagProperties')).toEqual(stateOf('ACTIVE_STATE'));
    expect(await settled(first, urn, 'tagProperties')).toEqual(stateOf('HISTORIC_STATE'));
    expect(await settled(same, urn, 'tagProperties')).toEqual(stateOf('NO_OP'));
    const [synchronous, gone] = [tagOf('synchronous'), tagOf('gone')];
    const waited = traceOf(await write(synchronous, named('now'), { query: '?async=false' }));
    expect(await settled(waited, synchronous, 'tagProperties')).toEqual(stateOf('ACTIVE_STATE'));
    const deleted = traceOf(await write(gone, named('gone')));
    await settled(deleted, gone, 'tagProperties');
    await catalog.http.post('/entities?action=delete', stringifyJson({ urn: gone }), {
      Authorization: `Bearer ${OPERATOR}`,
    });
    expect(await settled(deleted, gone, 'tagProperties')).toEqual(stateOf('HISTORIC_STATE'));
  });

  it('tells a rejected write with its reason', async () => {
    const urn = tagOf('guarded');
    await catalog.http.write(urn, 'tagProperties', { name: 'guarded' });
    const trace = traceOf(await write(urn, named('late', { 'If-Version-Match': '7' })));
    const reason = `Expected version 7, actual version 1 of aspect tagProperties of ${urn}`;
    const rejected = {
      success: false,
      primaryStorage: { writeStatus: 'ERROR', writeExceptions: [{ message: reason }] },
      searchStorage: { writeStatus: 'ERROR', writeMessage: expect.any(String) },
      graphStorage: { writeStatus: 'ERROR', writeMessage: expect.any(String) },
    };
    expect(await settled(trace, urn, 'tagProperties')).toEqual(rejected);
    const errors = await ask(trace, { [urn]: ['tagProperties'] }, '?onlyIncludeErrors=true');
    expect(errors.json).toEqual({ [urn]: { tagProperties: rejected } });
  });

  it('tells values of timeseries aspects', async () => {
    const profile = { datasetProfile: { value: { timestampMillis: 1_700_000_000_000, rowCount: 1 } } };
    const trace = traceOf(await write(ORDERS, profile, { type: 'dataset' }));
    expect(await settled(trace, ORDERS, 'datasetProfile')).toEqual(stateOf('ACTIVE_STATE'));
  });

  it('reads no values of the versions among which it looks for a write', async () => {
    const urn = tagOf('long');
    const first = traceOf(await write(urn, named('first')));
    await settled(first, urn, 'tagProperties');
    for (let count = 0; count < 3; count++) await write(urn, named(String(count)), { query: '?async=false' });
    const spied = jest.spyOn(catalog.deps.history, 'listVersions');
    try {
      expect(await settled(first, urn, 'tagProperties')).toEqual(stateOf('HISTORIC_STATE'));
      const pages = await Promise.all(
        spied.mock.results.map(({ value }) => value as Promise<VersionPage | undefined>),
      );
      expect(pages.flatMap((page) => page?.versions.map((version) => version.value) ?? [])).toEqual(
        Array.from({ length: 4 }, () => undefined),
      );
    } finally {
      spied.mockRestore();
    }
  });

  it('does not know a write that no one made', async () => {
    const trace = traceOf(await write(tagOf('known'), named('known')));
    await settled(trace, tagOf('known'), 'tagProperties');
    const unknown = { success: false, primaryStorage: { writeStatus: 'UNKNOWN' } };
    expect(await settled(trace, tagOf('never'), 'tagProperties')).toMatchObject(unknown);
    expect(await settled('0'.repeat(32), tagOf('known'), 'tagProperties')).toMatchObject(unknown);
  });

  it.each<readonly [string, string, JsonOutput, string]>([
    ['no trace id', 'x', {}, "'traceId'"],
    ['no list', '0'.repeat(32), { [tagOf('a')]: 'tagProperties' }, 'is not a list of names of aspects'],
    ['no urn', '0'.repeat(32), { a: ['tagProperties'] }, 'a'],
    [
      'too many aspects',
      '0'.repeat(32),
      { [tagOf('a')]: Array.from({ length: 1_001 }, (_, number) => `a${String(number)}`) },
      'at most 1000',
    ],
  ])('rejects %s', async (_what, trace, body, message) => {
    const answer = await ask(trace, body);
    expect([answer.status, at(answer.json, 'message')]).toEqual([400, expect.stringContaining(message)]);
  });

  it('answers when the write is searchable, if the caller asks for that', async () => {
    const waiting = { 'X-DataHub-Sync-Index-Update': 'true' };
    for (let count = 0; count < 5; count++) {
      const name = `awaited${String(count)}`;
      const answer = await write(tagOf(name), named(name, waiting), { query: '?async=false' });
      expect(answer.status).toBe(200);
      expect((await catalog.http.find(name, { entity: 'tag' })).urns).toEqual([tagOf(name)]);
    }
  });
}
