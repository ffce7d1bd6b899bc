import { describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const STAMP = { actor: 'urn:li:corpuser:x', time: 1 };
const owner = (urn: string) => ({ owner: urn, type: 'DATAOWNER' });
const ownedBy = (...urns: readonly string[]) => ({ lastModified: STAMP, owners: urns.map(owner) });
const ANN = 'urn:li:corpUser:ann';
const BOB = 'urn:li:corpuser:bob';

describe('a reference that leads nowhere', () => {
  const catalog = catalogForSuite();
  let count = 0;
  const newUrn = () => `urn:li:dataset:(urn:li:dataPlatform:hive,referring${String(++count)},PROD)`;
  const write = (urn: string, value: JsonOutputObject, isAsync = false) =>
    catalog.http.ingest({ urn, aspectName: 'ownership', value, parameters: { async: isAsync } });
  const stored = async (urn: string, ...path: readonly string[]) =>
    at((await catalog.http.entity(urn)).json, 'aspects', 'ownership', ...path);
  const REASON = `/owners/0/owner :: must be a urn of type corpuser or corpGroup, not "${ANN}"; the entity type is spelled corpuser, not corpUser`;

  it.each([false, true])(
    'is a 422 with the right spelling and changes nothing (async: %s)',
    async (isAsync) => {
      const before = await catalog.deps.store.readPartitionSequences();
      const { status, json } = await write(newUrn(), ownedBy(ANN), isAsync);
      expect([status, at(json, 'message')]).toEqual([422, expect.stringContaining(REASON)]);
      expect(await catalog.deps.store.readPartitionSequences()).toEqual(before);
      expect(await catalog.deps.deadLetters.list({ start: 0, limit: 10 })).toMatchObject({ total: 0 });
    },
  );

  it('is a 422 in a batch, which names its place, in a patch, and in a snapshot', async () => {
    const urn = newUrn();
    const proposal = (value: JsonOutputObject) => ({
      entityType: 'dataset',
      entityUrn: urn,
      changeType: 'UPSERT',
      aspectName: 'ownership',
      aspect: { value: stringifyJson(value), contentType: 'application/json' },
    });
    const batch = stringifyJson({ proposals: [proposal(ownedBy(BOB)), proposal(ownedBy(ANN))] });
    const inBatch = await catalog.http.post('/aspects?action=ingestProposalBatch', batch);
    expect([inBatch.status, at(inBatch.json, 'message')]).toEqual([
      422,
      expect.stringContaining('/proposals/1'),
    ]);
    const operation = { op: 'add', path: `/owners/${ANN}/DATAOWNER`, value: owner(ANN) };
    const patch = {
      changeType: 'PATCH',
      aspect: { value: stringifyJson([operation]), contentType: 'application/json' },
    };
    const patched = await catalog.http.ingest({ urn, aspectName: 'ownership', value: '', members: patch });
    expect([patched.status, at(patched.json, 'message')]).toEqual([422, expect.stringContaining(REASON)]);
    const snapshot = { urn, aspects: [{ 'com.linkedin.common.Ownership': ownedBy(ANN) }] };
    const entity = { value: { 'com.linkedin.metadata.snapshot.DatasetSnapshot': snapshot } };
    const ingested = await catalog.http.post('/entities?action=ingest', stringifyJson({ entity }));
    expect([ingested.status, at(ingested.json, 'message')]).toEqual([422, expect.stringContaining(REASON)]);
    const good = { urn, aspects: [{ 'com.linkedin.common.Status': { removed: false } }] };
    const entities = [good, snapshot].map((each) => ({
      value: { 'com.linkedin.metadata.snapshot.DatasetSnapshot': each },
    }));
    const together = await catalog.http.post('/entities?action=batchIngest', stringifyJson({ entities }));
    expect(together.status).toBe(422);
    expect(await catalog.deps.store.readEntity(urn)).toBeUndefined();
  });

  it('a reference that leads nowhere that an earlier model let in stays: it can be read, sent again, and changed next to', async () => {
    const urn = newUrn();
    // A proposal that this model has checked is written as it is.
    await catalog.deps.submitter.submitAndWait({
      urn,
      entityType: 'dataset',
      aspectName: 'ownership',
      changeType: 'UPSERT',
      value: stringifyJson(ownedBy(ANN)),
      actor: BOB,
      checkedBy: catalog.deps.registry.fingerprint,
    });
    for (const isAsync of [false, true]) {
      expect((await write(urn, ownedBy(ANN), isAsync)).status).toBe(200);
    }
    expect(await stored(urn, 'systemMetadata', 'version')).toBe('1');
    expect((await write(urn, ownedBy(ANN, BOB))).status).toBe(200);
    const operation = { op: 'remove', path: `/owners/${BOB}` };
    const patch = {
      changeType: 'PATCH',
      aspect: { value: stringifyJson([operation]), contentType: 'application/json' },
    };
    expect(
      (await catalog.http.ingest({ urn, aspectName: 'ownership', value: '', members: patch })).status,
    ).toBe(200);
    expect(await stored(urn, 'value', 'owners')).toEqual([owner(ANN)]);
    expect((await write(urn, ownedBy(ANN, 'urn:li:tag:x'))).status).toBe(422);
    expect((await write(urn, ownedBy(BOB))).status).toBe(200);
    expect((await write(urn, ownedBy(ANN))).status).toBe(422);
  });
});
