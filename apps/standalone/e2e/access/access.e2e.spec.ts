import { isDeepStrictEqual } from 'node:util';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Subscription, SubscriptionStatus } from '@stratalog/ports';
import type { CatalogStage } from '@stratalog/runtime';
import { indexerStage } from '@stratalog/stages-indexer';
import { ingestStage } from '@stratalog/stages-ingest';
import { queryStage } from '@stratalog/stages-query';
import { writerStage } from '@stratalog/stages-writer';
import { until } from '@stratalog/testkit';
import { Site, type BootedCatalog } from '../testing/catalog/booted-catalog';
import { at, toBody } from '../testing/catalog/catalog-client';
import type { RawRequest } from '../testing/catalog/raw-http';

const URN = 'urn:li:tag:guarded';
const TOKEN = 'an-operators-token-of-our-own';
const CALLS: readonly (readonly [string, RawRequest])[] = [
  [
    'a write',
    {
      method: 'POST',
      target: '/aspects?action=ingestProposal',
      body: toBody({ urn: URN, aspectName: 'tagProperties', value: { name: 'guarded' } }),
    },
  ],
  ['a read of an entity', { method: 'GET', target: `/api/gms/entitiesV2/${URN}` }],
  ['a read of an aspect', { method: 'GET', target: `/aspects/${URN}?aspect=tagKey` }],
  [
    'a search',
    {
      method: 'POST',
      target: '/gms/entities?action=search',
      body: '{"input":"*","entity":"tag","start":0,"count":1}',
    },
  ],
];
const NO_SUCH: readonly (readonly [string, RawRequest])[] = [
  ['an unknown path', { method: 'GET', target: '/nothing' }],
  ['an unknown action', { method: 'POST', target: '/entities?action=nothing', body: '{}' }],
];

/** A subscription that becomes ready on request. */
class SlowSubscription implements Subscription {
  private current: SubscriptionStatus = { state: 'stopped' };

  start(): Promise<void> {
    this.current = { state: 'starting', reason: 'why' };
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  enter(state: 'running' | 'retrying'): void {
    this.current = state === 'running' ? { state } : { state, reason: 'why' };
  }

  status(): SubscriptionStatus {
    return this.current;
  }
}

describe('access', () => {
  let site: Site;
  let catalog: BootedCatalog;
  beforeAll(async () => {
    site = await Site.create();
  });
  afterEach(async () => {
    await catalog.stop();
  });
  afterAll(async () => {
    await site.remove();
  });

  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

  it.each(['none', 'operations'])(
    'access in mode %s needs no token, whatever the call carries',
    async (mode) => {
      catalog = await site.boot({ environment: { STRATALOG_AUTH: mode, STRATALOG_TOKEN: TOKEN } });
      for (const [, request] of CALLS) {
        for (const headers of [{}, bearer('None'), bearer(TOKEN), { Authorization: 'Basic eDp5' }]) {
          expect((await catalog.http.send({ ...request, headers })).status).toBe(200);
        }
      }
      const { json } = await catalog.http.entity(URN);
      expect(at(json, 'aspects', 'tagProperties', 'created', 'actor')).toBe('urn:li:corpuser:unknown');
    },
  );

  it('access in mode all rejects every call without a valid token, and changes nothing', async () => {
    catalog = await site.boot({ environment: { STRATALOG_AUTH: 'all', STRATALOG_TOKEN: TOKEN } });
    const sequences = await catalog.deps.store.readPartitionSequences();
    for (const [name, request] of [...CALLS, ...NO_SUCH]) {
      for (const [headers, message] of [
        [{}, 'This call needs a token: no header Authorization: Bearer <token> was sent'],
        [{ Authorization: `Basic ${TOKEN}` }, 'This call needs a token'],
        [bearer('None'), 'The token of this call is unknown'],
        [bearer(`${TOKEN}x`), 'The token of this call is unknown'],
      ] as const) {
        const answer = await catalog.http.send({ ...request, headers });
        expect([name, answer.status, answer.headers['content-type']]).toEqual([
          name,
          401,
          'application/json',
        ]);
        expect(answer.headers['www-authenticate']).toBe('Bearer');
        expect(Object.keys(answer.json as object).sort()).toEqual([
          'docUrl',
          'exceptionClass',
          'message',
          'stackTrace',
          'status',
        ]);
        expect(answer.json).toMatchObject({ status: 401, message: expect.stringContaining(message) });
      }
    }
    expect(await catalog.deps.store.readPartitionSequences()).toEqual(sequences);
  });

  it('access in mode all authenticates the operator by name', async () => {
    catalog = await site.boot({ environment: { STRATALOG_AUTH: 'all', STRATALOG_TOKEN: TOKEN } });
    for (const [name, request] of CALLS) {
      const answer = await catalog.http.send({ ...request, headers: bearer(TOKEN) });
      expect([name, answer.status]).toEqual([name, 200]);
    }
    await catalog.http.ingest({
      urn: URN,
      aspectName: 'tagProperties',
      value: { name: 'by the operator' },
      headers: bearer(TOKEN),
    });
    const { json } = await catalog.http.get(`/entitiesV2/${URN}`, { authorization: `bearer  ${TOKEN}` });
    expect(at(json, 'aspects', 'tagProperties', 'created', 'actor')).toBe('urn:li:corpuser:admin');
  });

  it('accepts the token that the first start created, readable by its owner only', async () => {
    catalog = await site.boot({ environment: { STRATALOG_AUTH: 'all' } });
    const file = join(site.dataDir, 'operator-token');
    const token = readFileSync(file, 'utf8').trim();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await catalog.http.get(`/entitiesV2/${URN}`, bearer(token))).status).toBe(200);
    await catalog.stop();
    catalog = await site.boot({ environment: { STRATALOG_AUTH: 'all' } });
    expect(readFileSync(file, 'utf8').trim()).toBe(token);
    expect((await catalog.http.get(`/entitiesV2/${URN}`, bearer(token))).status).toBe(200);
  });

  it('knows the user whom a trusted proxy names, with the scopes of the settings', async () => {
    const header = { STRATALOG_PROXY_USER_HEADER: 'X-Remote-User', STRATALOG_PROXY_USER_SCOPES: 'write' };
    const environment = { STRATALOG_AUTH: 'all', STRATALOG_TRUSTED_PROXIES: '127.0.0.1', ...header };
    catalog = await site.boot({ environment: { ...environment, STRATALOG_TOKEN: TOKEN } });
    const ada = { 'X-Remote-User': 'ada' };
    const sent = { urn: 'urn:li:tag:by-ada', aspectName: 'tagProperties', value: { name: 'by Ada' } };
    expect((await catalog.http.ingest({ ...sent, headers: ada })).status).toBe(200);
    expect((await catalog.http.get(`/entitiesV2/${sent.urn}`, ada)).status).toBe(403);
    const { json } = await catalog.http.get(`/entitiesV2/${sent.urn}`, bearer(TOKEN));
    expect(at(json, 'aspects', 'tagProperties', 'created', 'actor')).toBe('urn:li:corpuser:ada');
    await catalog.stop();
    catalog = await site.boot({ environment: { ...environment, STRATALOG_TRUSTED_PROXIES: '192.0.2.1' } });
    const rejected = await catalog.http.ingest({ ...sent, headers: ada });
    expect([rejected.status, at(rejected.json, 'message')]).toEqual([
      403,
      expect.stringContaining('accepted from trusted proxies only'),
    ]);
  });

  it.each(['none', 'operations', 'all'])(
    'access in mode %s leaves health and config public',
    async (mode) => {
      catalog = await site.boot({ environment: { STRATALOG_AUTH: mode } });
      for (const target of [
        '/health',
        '/health/live',
        '/gms/health/ready',
        '/config',
        '/gms/config',
        '/api/gms/health',
        '/config/',
      ]) {
        for (const headers of [{}, bearer('None'), { Authorization: 'nonsense' }]) {
          const answer = await catalog.http.get(target, headers);
          expect([target, answer.status]).toEqual([target, 200]);
        }
      }
    },
  );

  it('access to config returns the members that clients read', async () => {
    catalog = await site.boot();
    const answer = await catalog.http.get('/config');
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.json).toMatchObject({
      noCode: 'true',
      retention: 'true',
      statefulIngestionCapable: true,
      patchCapable: true,
      baseUrl: catalog.url,
      datasetUrnNameCasing: false,
      telemetry: { enabledCli: false },
      datahub: { serverType: expect.any(String) },
      models: {},
    });
    expect(at(answer.json, 'versions')).toMatchObject({
      // From 1.0.1 on the SDK writes by OpenAPI.
      'acryldata/datahub': { version: 'v1.0.1' },
      'linkedin/datahub': { version: expect.stringMatching(/^v0\.\d+\.\d+$/) },
    });
    expect(answer.body).not.toContain('null');
  });

  it('names a version to which the SDK writes by Rest.li when the operator wants that', async () => {
    catalog = await site.boot({ environment: { STRATALOG_SDK_WRITES: 'restli' } });
    const { json } = await catalog.http.get('/config');
    expect(at(json, 'versions', 'acryldata/datahub', 'version')).toMatch(/^v0\./);
  });

  it('access to health reports each stage, and answers 503 until all of them are ready', async () => {
    const slow = new SlowSubscription();
    const slowStage: CatalogStage = {
      name: 'slow',
      open: () => ({ consumers: [{ name: 'slow', subscription: slow }] }),
    };
    catalog = await site.boot({
      stages: [ingestStage, queryStage, writerStage, indexerStage, slowStage],
      untilReady: false,
    });
    const starting = await catalog.http.get('/health');
    expect([starting.status, at(starting.json, 'status')]).toEqual([503, 'starting']);
    // The indexer may have an index to build first.
    await until(async () => {
      const { stages } = (await catalog.http.get('/health')).json as { stages: { state: string }[] };
      return stages.filter(({ state }) => state === 'running').length === 5;
    });
    const almost = await catalog.http.get('/health');
    expect(almost.status).toBe(503);
    expect(almost.json).toEqual({
      status: 'starting',
      stages: [
        { name: 'query', state: 'running' },
        { name: 'ingest', state: 'running' },
        { name: 'writer', state: 'running' },
        { name: 'retention', state: 'running' },
        { name: 'indexer', state: 'running' },
        { name: 'slow', state: 'starting' },
      ],
    });
    const details = await catalog.health();
    expect(details.json).toMatchObject({
      stages: expect.arrayContaining([{ name: 'slow', state: 'starting', reason: 'why' }]),
    });
    expect((await catalog.http.get('/operations/health')).status).toBe(401);
    // A stage that starts keeps no other role from its work.
    const roles = ['ingest', 'query', 'search', 'writer', 'indexer'].map((name) => ({
      name,
      status: 'ready',
    }));
    await until(async () => {
      const ready = await catalog.http.get('/health/ready');
      return ready.status === 200 && isDeepStrictEqual(ready.json, { status: 'ready', roles });
    });
    expect((await catalog.http.get('/health/live')).json).toEqual({ status: 'live' });
    slow.enter('running');
    await catalog.ready;
    expect((await catalog.http.get('/health')).status).toBe(200);
    slow.enter('retrying');
    const degraded = await catalog.http.get('/health');
    expect([degraded.status, at(degraded.json, 'status')]).toEqual([503, 'degraded']);
  });
});
