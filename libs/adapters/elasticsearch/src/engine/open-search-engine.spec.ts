import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { InvalidSettingError, UnavailableError } from '@stratalog/domain';
import { openSearchEngine } from './open-search-engine';

/** Runs `work` against a server that answers every request in one way, like servers that the catalog cannot use. */
async function withServer(
  answer: {
    readonly status: number;
    readonly body: object;
    readonly headers?: Readonly<Record<string, string>>;
  },
  work: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer((_request, response) => {
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(JSON.stringify(answer.body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const versionOf = (version: string): object => ({ nodes: { n: { version } } });
const elastic = { 'x-elastic-product': 'Elasticsearch' };

describe('openSearchEngine', () => {
  test.each([
    ['a wrong password', { status: 401, body: {} }, 'rejected the user name or password'],
    ['missing rights', { status: 403, body: {} }, 'does not let this user in'],
    ['another server', { status: 200, body: {} }, 'neither Elasticsearch nor OpenSearch'],
    ['a site', { status: 404, body: {} }, 'answers with status 404'],
    [
      'Elasticsearch 7',
      { status: 200, body: versionOf('7.17.9'), headers: elastic },
      'version 7.17.9; needed is',
    ],
    ['OpenSearch 1', { status: 200, body: versionOf('1.3.0') }, 'version 1.3.0; needed is'],
  ])('given %s, then it fails with the reason', async (_what, answer, reason) => {
    await withServer(answer, async (url) => {
      const opening = openSearchEngine({ url, indexPrefix: 'a', username: 'u', password: 'secret' });
      await expect(opening).rejects.toThrow(InvalidSettingError);
      await expect(opening).rejects.toThrow(reason);
    });
  });

  test('waits for a server that is not ready, and reports that once', async () => {
    const reasons: string[] = [];
    const onWaiting = (reason: string): number => reasons.push(reason);
    await withServer({ status: 503, body: {} }, async (url) => {
      const opening = openSearchEngine({ url, indexPrefix: 'a', waitMs: 600, onWaiting });
      await expect(opening).rejects.toThrow(UnavailableError);
    });
    expect(reasons).toEqual([expect.stringMatching(/^waiting for the search engine at http:\/\/127.0.0.1:/)]);
  });

  test('fails without a server for the reason of the connection, and shows no password', async () => {
    const opening = openSearchEngine({ url: 'http://u:secret@127.0.0.1:1', indexPrefix: 'a', waitMs: 0 });
    await expect(opening).rejects.toThrow(UnavailableError);
    await expect(opening).rejects.toThrow(
      /at http:\/\/127.0.0.1:1 did not get ready within 0 ms: .*ECONNREFUSED/,
    );
    await expect(opening).rejects.not.toThrow(/secret/);
  });

  test.each(['not a url', 'ftp://host', 'host:9200'])(
    'given %j as address, then it is rejected',
    async (url) => {
      await expect(openSearchEngine({ url, indexPrefix: 'a' })).rejects.toThrow(InvalidSettingError);
    },
  );
});
