import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSearchEngine, type RunningSearchEngine } from './search-engine';

const START_LIMIT_MS = limitMs(300_000);
const KINDS = [
  ['opensearch', 'STRATALOG_TEST_ELASTICSEARCH_URL'],
  ['elasticsearch', 'STRATALOG_TEST_ELASTICSEARCH_8_URL'],
] as const;

async function call(url: string, path: string, method = 'GET', body?: object): Promise<unknown> {
  const answer = await fetch(`${url}${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return answer.json();
}

describe.each(KINDS)('%s', (kind, variable) => {
  it('answers in a test run', async () => {
    expect(await call(process.env[variable] ?? '', '/_cluster/health')).toMatchObject({ number_of_nodes: 1 });
  });

  describe('of its own', () => {
    let engine: RunningSearchEngine;
    beforeAll(async () => {
      engine = await startSearchEngine({ kind });
    }, START_LIMIT_MS);
    afterAll(() => engine.stop(), START_LIMIT_MS);

    it(
      'keeps acknowledged documents and its address over kill -9, and over a restart in order',
      async () => {
        const { url, pid } = engine;
        await call(url, '/kept', 'PUT', { settings: { number_of_replicas: 0 } });
        for (const end of ['kill', 'restart'] as const) {
          expect(await call(url, `/kept/_doc/${end}`, 'PUT', { end })).toMatchObject({ result: 'created' });
          if (end === 'kill') await engine.kill();
          await engine.restart();
          expect(await call(url, `/kept/_doc/${end}`)).toMatchObject({ found: true, _source: { end } });
        }
        expect(engine.url).toBe(url);
        expect(engine.pid).not.toBe(pid);
      },
      START_LIMIT_MS,
    );

    it('creates no index automatically', async () => {
      expect(await call(engine.url, '/unknown/_doc/1', 'PUT', {})).toMatchObject({ status: 404 });
    });
  });
});
