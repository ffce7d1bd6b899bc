import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@stratalog/domain';
import type { AspectStore, Rejection, WriteBatch } from '@stratalog/ports';
import type { CatalogStage } from '@stratalog/runtime';
import { indexerStage } from '@stratalog/stages-indexer';
import { ingestStage } from '@stratalog/stages-ingest';
import { queryStage } from '@stratalog/stages-query';
import { writerStage } from '@stratalog/stages-writer';
import { until } from '@stratalog/testkit';
import { Site, type BootedCatalog } from '../testing/catalog/booted-catalog';
import { at } from '../testing/catalog/catalog-client';

const REFERENCE = /^Internal server error \(reference [0-9a-f]{12}\)$/;
const BAD = 'urn:li:tag:bad';
const GOOD = Array.from({ length: 30 }, (_, n) => `urn:li:tag:good-${String(n)}`);

/** The real store, except that a decision about `urn` fails inside its transaction. */
function failingAt(store: AspectStore, urn: string, error: () => Error | undefined): AspectStore {
  const commit = (batch: WriteBatch) =>
    store.commit({
      ...batch,
      decide: (snapshot) => {
        const failure = batch.reads.some((read) => read.urn === urn) ? error() : undefined;
        if (failure !== undefined) throw failure;
        return batch.decide(snapshot);
      },
    });
  return new Proxy(store, {
    get: (target, member) =>
      member === 'commit' ? commit : (Reflect.get(target, member, target) as unknown),
  });
}

describe('a record whose commit fails', () => {
  let site: Site;
  let catalog: BootedCatalog;
  let failure: () => Error | undefined;
  const poisoned: [Rejection, unknown][] = [];
  beforeAll(async () => {
    site = await Site.create();
  });
  afterEach(async () => {
    poisoned.length = 0;
    await catalog.stop();
  });
  afterAll(async () => {
    await site.remove();
  });

  const boot = async (): Promise<void> => {
    const writer: CatalogStage = {
      name: 'writer',
      open: (deps) =>
        writerStage.open({
          ...deps,
          store: failingAt(deps.store, BAD, () => failure()),
          onDeadLetter: (rejection, cause) => poisoned.push([rejection, cause]),
        }),
    };
    catalog = await site.boot({
      stages: [ingestStage, queryStage, writer, indexerStage],
      environment: { STRATALOG_LOG_LEVEL: 'silent' },
    });
  };
  const send = (urn: string, name: string, async: 'true' | 'false') =>
    catalog.http.ingest({ urn, aspectName: 'tagProperties', value: { name }, parameters: { async } });

  it('becomes a dead letter and is answered as a fault, and all others of its batch pass', async () => {
    failure = () => new Error('a defect');
    await boot();
    const [bad, ...others] = await Promise.all([BAD, ...GOOD].map((urn) => send(urn, 'sync', 'false')));
    expect(bad?.status).toBe(500);
    expect(at(bad?.json, 'message')).toMatch(REFERENCE);
    expect(others.map(({ status }) => status)).toEqual(GOOD.map(() => 200));
    expect(poisoned).toMatchObject([
      [{ content: { proposal: { urn: BAD } } }, { cause: { message: 'a defect' } }],
    ]);
    for (const urn of GOOD) expect((await catalog.http.aspect(urn, 'tagProperties', 1)).status).toBe(200);
    expect((await catalog.http.aspect(BAD, 'tagProperties')).status).toBe(404);
    expect((await catalog.http.get('/health')).status).toBe(200);
  });

  it('becomes a dead letter from the table too, and its partition continues', async () => {
    failure = () => new Error('a defect');
    await boot();
    const urns = [BAD, ...GOOD, BAD, ...GOOD];
    const answers = await Promise.all(urns.map((urn, n) => send(urn, `async${String(n)}`, 'true')));
    expect(answers.map(({ status }) => status)).toEqual(urns.map(() => 200));
    await until(async () => {
      const versions = await Promise.all(GOOD.map((urn) => catalog.http.aspect(urn, 'tagProperties', 3)));
      return versions.every(({ status }) => status === 200);
    });
    expect(poisoned).toHaveLength(2);
    expect((await catalog.http.aspect(BAD, 'tagProperties')).status).toBe(404);
  });

  it('a record whose commit fails because the store is unreachable is retried until it returns', async () => {
    let failures = 3;
    failure = () => (failures-- > 0 ? new UnavailableError('away') : undefined);
    await boot();
    expect((await send(BAD, 'patient', 'true')).status).toBe(200);
    await until(async () => (await catalog.http.aspect(BAD, 'tagProperties', 1)).status === 200);
    expect(poisoned).toEqual([]);
    await until(async () => (await catalog.http.get('/health')).status === 200);
  });
});

describe('a database that is lost', () => {
  let site: Site;
  beforeAll(async () => {
    site = await Site.create();
  });
  afterAll(async () => {
    await site.remove();
  });

  it('is a fault with a reference and no internals, and the catalog reports that it is not ready', async () => {
    const { http } = await site.boot({ environment: { STRATALOG_LOG_LEVEL: 'silent' } });
    await http.write(BAD, 'tagProperties', { name: 'kept' });
    await site.dropDatabase();
    const answers = await Promise.all([
      http.entity(BAD),
      http.aspect(BAD, 'tagProperties'),
      http.search('*'),
      http.ingest({ urn: BAD, aspectName: 'tagProperties', value: { name: 'lost' } }),
      http.ingest({ urn: BAD, aspectName: 'status', value: {}, parameters: { async: 'true' } }),
    ]);
    for (const { status, json, body } of answers) {
      expect([500, 503]).toContain(status);
      expect(Object.keys(json as object).sort()).toEqual([
        'exceptionClass',
        'message',
        'stackTrace',
        'status',
      ]);
      if (status === 500) expect(at(json, 'message')).toMatch(REFERENCE);
      expect(body).not.toMatch(/postgres|scratch|database|\.ts|select/i);
    }
    await until(async () => (await http.get('/health')).status === 503);
    expect((await http.get('/config')).status).toBe(200);
    expect((await http.ingest({ urn: BAD, aspectName: 'nothing', value: {} })).status).toBe(422);
  });
});
