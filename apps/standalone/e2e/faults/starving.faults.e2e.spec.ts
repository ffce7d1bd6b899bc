import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import type { ScratchSession } from '@stratalog/runtime';
import { Site, type BootedCatalog } from '../testing/catalog/booted-catalog';
import type { Answer } from '../testing/catalog/raw-http';

const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const TABLE = 'search_document_1';
const LIMIT_MS = 4_000;
/** Less than the time limit of the blocked queries. */
const SOON_MS = 3_000;

/** Searches without an answer: a session holds the lock of the table that they read. */
describe('Slow queries', () => {
  let site: Site;
  let catalog: BootedCatalog;
  let holder: ScratchSession;
  /** A separate session: within a transaction, `pg_stat_activity` stays as first read. */
  let looker: ScratchSession;

  beforeAll(async () => {
    site = await Site.create();
    [holder, looker] = await Promise.all([site.session(), site.session()]);
    catalog = await site.boot({ environment: { STRATALOG_QUERY_TIMEOUT_MS: String(LIMIT_MS) } });
    await catalog.http.write(DATASET, 'datasetProperties', { name: 'orders' });
    await catalog.http.caughtUp();
  });
  afterAll(async () => {
    await Promise.all([holder.end(), looker.end()]);
    await site.remove();
  });

  const whileHeldUp = async (table: string, work: () => Promise<void>): Promise<void> => {
    await holder.query(`begin; lock table ${table} in access exclusive mode`);
    try {
      await work();
    } finally {
      await holder.query('rollback');
    }
  };
  const heldUp = async (table = TABLE): Promise<number> => {
    const [row] = await looker.query(
      `select count(*)::integer as n from pg_stat_activity
        where wait_event_type = 'Lock' and query ~ '(with matched|select t.total).*${table}'`,
    );
    return Number(row?.n);
  };
  const search = (): Promise<Answer> => catalog.http.search('orders');

  const answersSoon = async (ask: () => Promise<Answer>): Promise<void> => {
    const started = performance.now();
    const answer = await ask();
    expect({ status: answer.status, body: answer.status === 200 ? '' : answer.body }).toEqual({
      status: 200,
      body: '',
    });
    expect(performance.now() - started).toBeLessThan(SOON_MS);
  };

  it.each([12, 100])(
    'slow queries of %s searches block neither writes nor reads nor health, and end with a 503 that names the limit',
    async (count) => {
      await whileHeldUp(TABLE, async () => {
        const searches = Array.from({ length: count }, search);
        await until(async () => (await heldUp()) > 0);
        for (let round = 0; round < 3; round++) {
          const value = { name: `orders ${String(count)} ${String(round)}` };
          await answersSoon(() =>
            catalog.http.ingest({ urn: DATASET, aspectName: 'datasetProperties', value }),
          );
          await answersSoon(() => catalog.http.aspect(DATASET, 'datasetProperties'));
          await answersSoon(() => catalog.http.entity(DATASET));
          await answersSoon(() => catalog.http.get('/health'));
        }
        for (const answer of await Promise.all(searches)) {
          expect(answer.status).toBe(503);
          expect(answer.headers['retry-after']).toBe('1');
          expect(answer.body).toContain(
            `No answer within ${String(LIMIT_MS)} ms, the wait for a free connection included (STRATALOG_QUERY_TIMEOUT_MS)`,
          );
        }
        expect(await heldUp()).toBe(0);
      });
      await answersSoon(search);
    },
  );

  it('slow queries of searches do not block relationships', async () => {
    await whileHeldUp('graph_edge_1', async () => {
      const target = `/relationships?urn=${encodeURIComponent(DATASET)}&direction=INCOMING&types=OwnedBy`;
      const questions = Array.from({ length: 12 }, () => catalog.http.get(target));
      await until(async () => (await heldUp('graph_edge_1')) > 0);
      const value = { tags: [{ tag: 'urn:li:tag:pii' }] };
      await answersSoon(() => catalog.http.ingest({ urn: DATASET, aspectName: 'globalTags', value }));
      await answersSoon(() => catalog.http.aspect(DATASET, 'globalTags'));
      await answersSoon(() => catalog.http.get('/health'));
      for (const { status, body } of await Promise.all(questions)) {
        expect([status, body]).toEqual([503, expect.stringContaining('STRATALOG_QUERY_TIMEOUT_MS')]);
      }
    });
  });

  it('end with their client, and free their place', async () => {
    await whileHeldUp(TABLE, async () => {
      const clients = Array.from({ length: 20 }, () => sendSearch(catalog.http.port));
      await until(async () => (await heldUp()) > 0);
      clients.forEach((client) => client.destroy());
      await until(async () => (await heldUp()) === 0, SOON_MS);
    });
    await answersSoon(search);
  });
});

/** Sends a search over a connection of its own, and does not read the answer. */
function sendSearch(port: number): Socket {
  const body = stringifyJson({ input: 'orders', entity: 'dataset', start: 0, count: 10 });
  const head = `POST /entities?action=search HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${String(body.length)}\r\n\r\n`;
  return connect(port, '127.0.0.1', function (this: Socket) {
    this.write(head + body);
  });
}
