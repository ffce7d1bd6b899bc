import { describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

describe('a condition of a proposal', () => {
  const catalog = catalogForSuite();
  const propose = (
    urn: string,
    name: string,
    members: JsonOutputObject = {},
    parameters: JsonOutputObject = {},
  ): Promise<Answer> =>
    catalog.http.ingest({ urn, aspectName: 'tagProperties', value: { name }, members, parameters });
  const stored = async (urn: string) =>
    at((await catalog.http.entity(urn)).json, 'aspects', 'tagProperties', 'value', 'name');
  const toProvenance = async (urn: string) =>
    at((await catalog.http.entity(urn)).json, 'aspects', 'tagProperties', 'systemMetadata');
  const toMessage = (answer: Answer) => [answer.status, at(answer.json, 'message')];

  it('is an unchanged version, given by its number', async () => {
    const urn = 'urn:li:tag:counter';
    const at1 = { headers: { 'if-version-match': '1' } };
    expect((await propose(urn, 'one', { headers: { 'If-Version-Match': '-1' } })).status).toBe(200);
    expect((await propose(urn, 'two', at1)).status).toBe(200);
    expect(toMessage(await propose(urn, 'three', at1))).toEqual([
      422,
      `Expected version 1, actual version 2 of aspect tagProperties of ${urn}`,
    ]);
    expect(await stored(urn)).toBe('two');
  });

  it.each(['If-Version-Match', 'If-Unmodified-Since'])(
    'a condition of a proposal as the HTTP header %s alone is a warning',
    async (name) => {
      const urn = `urn:li:tag:guarded-${name}`;
      const text = name === 'If-Version-Match' ? '1' : '2020-01-01T00:00:00Z';
      const warning = `the HTTP header ${name} is ignored: conditions are members of proposal.headers`;
      const send = (value: string, members: JsonOutputObject, headers: Record<string, string>) =>
        catalog.http.ingest({ urn, aspectName: 'tagProperties', value: { name: value }, members, headers });
      const alone = await send('one', {}, { [name]: text });
      expect([alone.status, alone.headers['x-stratalog-warnings']]).toEqual([200, JSON.stringify([warning])]);
      const strict = await send('two', {}, { [name]: text, 'X-Stratalog-Strict': 'true' });
      expect(toMessage(strict)).toEqual([422, expect.stringContaining(warning)]);
      const proper = { headers: { 'If-Version-Match': '1', 'If-Unmodified-Since': '2100-01-01T00:00:00Z' } };
      const both = await send('three', proper, { [name]: text });
      expect([both.status, both.headers['x-stratalog-warnings']]).toEqual([200, undefined]);
      const snapshot = { urn, aspects: [{ 'com.linkedin.tag.TagProperties': { name: 'four' } }] };
      const entity = { value: { 'com.linkedin.metadata.snapshot.TagSnapshot': snapshot } };
      const ingested = await catalog.http.post('/entities?action=ingest', stringifyJson({ entity }), {
        [name]: text,
      });
      expect([ingested.status, ingested.headers['x-stratalog-warnings']]).toEqual([
        200,
        JSON.stringify([warning]),
      ]);
    },
  );

  it('a condition of a proposal that fails is a rejection when synchronous, and a dead letter when asynchronous', async () => {
    const urn = 'urn:li:tag:kept-aside';
    await propose(urn, 'one');
    const create = { changeType: 'CREATE' };
    const reason = `Cannot CREATE aspect tagProperties of ${urn}: it exists already, at version 1`;
    expect(toMessage(await propose(urn, 'two', create))).toEqual([422, reason]);
    expect((await propose(urn, 'two', create, { async: 'true' })).status).toBe(200);
    // Waits for a later proposal to commit: the rejected one held up nothing.
    await propose(urn, 'three', { changeType: 'UPDATE' });
    expect(await toProvenance(urn)).toMatchObject({ version: '2' });
    expect(await stored(urn)).toBe('three');
  });

  it('is an entity that does not exist yet', async () => {
    const urn = 'urn:li:tag:created';
    const create = { changeType: 'CREATE_ENTITY' };
    expect((await propose(urn, 'one', create)).status).toBe(200);
    expect((await propose(urn, 'two', create)).status).toBe(422);
    const passing = { ...create, headers: { 'If-None-Match': '*' } };
    expect((await propose(urn, 'two', passing)).status).toBe(200);
    expect(await stored(urn)).toBe('one');
  });

  it('is a time', async () => {
    const urn = 'urn:li:tag:timed';
    await propose(urn, 'one');
    const past = '2020-01-01T00:00:00Z';
    const future = '2999-01-01T00:00:00+01:00';
    expect((await propose(urn, 'two', { headers: { 'If-Modified-Since': future } })).status).toBe(422);
    expect((await propose(urn, 'two', { headers: { 'If-Unmodified-Since': past } })).status).toBe(422);
    expect((await propose(urn, 'two', { headers: { 'If-Modified-Since': past } })).status).toBe(200);
    expect((await propose(urn, 'three', { headers: { 'If-Unmodified-Since': future } })).status).toBe(200);
  });

  it('is to restate a value', async () => {
    const urn = 'urn:li:tag:restated';
    const first = (await propose(urn, 'one')).headers['x-stratalog-position'];
    const asItIs = { changeType: 'RESTATE', aspect: undefined };
    const again = (await propose(urn, 'one', asItIs)).headers['x-stratalog-position'];
    expect(again).not.toBe(first);
    expect(await toProvenance(urn)).toMatchObject({ version: '1' });
    expect((await propose('urn:li:tag:not-there', '', asItIs)).status).toBe(422);
  });

  it('shows when the aspect was created and changed, and which runs observed it', async () => {
    const urn = 'urn:li:tag:seen';
    const run = (runId: string, lastObserved: number) => ({
      systemMetadata: {
        runId,
        lastObserved,
        registryName: 'r',
        registryVersion: '1',
        properties: { a: 'b' },
      },
    });
    await propose(urn, 'one', run('run-1', 1));
    await propose(urn, 'two', run('run-2', 2));
    await propose(urn, 'two', run('run-3', 3));
    const provenance = await toProvenance(urn);
    expect(provenance).toMatchObject({
      version: '2',
      lastObserved: 3,
      runId: 'run-3',
      lastRunId: 'run-2',
      registryName: 'r',
      registryVersion: '1',
      properties: { a: 'b' },
      aspectCreated: { time: expect.any(Number), actor: 'urn:li:corpuser:unknown' },
      aspectModified: { time: expect.any(Number), actor: 'urn:li:corpuser:unknown' },
    });
    const created = at((await catalog.http.entity(urn)).json, 'aspects', 'tagProperties', 'created');
    expect(at(provenance, 'aspectModified')).toEqual(created);
    expect(Number(at(provenance, 'aspectCreated', 'time'))).toBeLessThanOrEqual(Number(at(created, 'time')));
  });
});
