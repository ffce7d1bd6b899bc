import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient, CallRejectedError, NoAnswerError, UnexpectedAnswerError } from '@stratalog/client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const URN = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop (old),PROD)';
const PLATFORM = 'urn:li:dataPlatform:hive';
const CHANGE = { entityType: 'dataset', entityUrn: URN, changeType: 'UPSERT' } as const;

describe('the typed client', () => {
  const catalog = catalogForSuite();
  let client: ApiClient;
  let position: string;
  beforeAll(async () => {
    client = new ApiClient({ server: catalog.url });
    const aspect = { value: '{"description":"parcels"}', contentType: 'application/json' } as const;
    const { answer, headers } = await client.call('POST /aspects?action=ingestProposal', {
      proposal: { ...CHANGE, aspectName: 'datasetProperties', aspect },
    });
    expect(answer).toBe(URN);
    position = headers.get('X-Stratalog-Position') ?? '';
  });

  it('searches, waits for its write, and filters', async () => {
    const { answer } = await client.call(
      'POST /entities?action=search',
      {
        entity: 'dataset',
        input: 'parcels',
        start: 0,
        count: 10,
        filter: { or: [{ and: [{ field: 'platform', values: [PLATFORM] }] }] },
      },
      { headers: { 'X-Stratalog-Wait-For': position } },
    );
    expect([answer.numEntities, answer.entities]).toEqual([1, [expect.objectContaining({ entity: URN })]]);
  });

  it('reads an entity by a urn with reserved characters, and several with some aspects', async () => {
    const { answer } = await client.call('GET /entitiesV2/:urn', {
      urn: URN,
      aspects: ['datasetProperties'],
    });
    expect(answer.aspects.datasetProperties?.value).toEqual({ description: 'parcels' });
    const both = { ids: [URN, PLATFORM], aspects: ['datasetProperties', 'status'] };
    const { answer: many } = await client.call('GET /entitiesV2', both);
    expect(Object.keys(many.results).sort()).toEqual([PLATFORM, URN].sort());
    expect(many.results[URN]?.aspects.datasetProperties?.value).toEqual({ description: 'parcels' });
  });

  it('reads a picture as text', async () => {
    expect(await client.text('GET /lineage/:urn', { urn: `${URN}.mmd` })).toMatch(/^flowchart /);
  });

  it('calls a route without parameters', async () => {
    const { answer } = await client.call('GET /config');
    expect(answer.versions).toBeDefined();
  });

  it('tells a rejection, a server that is no catalog, and an address that does not answer', async () => {
    const call = client.call('POST /entities?action=search', {
      entity: 'datasets',
      input: '*',
      start: 0,
      count: 10,
    });
    await expect(call).rejects.toThrow(/datasets.*did you mean dataset\?/s);
    await expect(call).rejects.toMatchObject({ status: 400, isTransient: false });
    await expect(call).rejects.toBeInstanceOf(CallRejectedError);

    const other = createServer((_, response) => response.end('<html>Welcome</html>'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const server = `http://127.0.0.1:${String((other.address() as AddressInfo).port)}`;
    const stranger = new ApiClient({ server });
    await expect(stranger.call('GET /config')).rejects.toBeInstanceOf(UnexpectedAnswerError);
    const closed = new Promise((resolve) => other.close(resolve));
    other.closeAllConnections();
    await closed;
    await expect(stranger.call('GET /config')).rejects.toBeInstanceOf(NoAnswerError);
  });
});
