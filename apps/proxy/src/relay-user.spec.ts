import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { RelayedUsers } from './relay-user';
import { startProxy } from './start-proxy';

const RELAYED = 'x-stratalog-proxy-user';
const GET = 'GET /entitiesV2/urn:li:tag:a HTTP/1.1';
/** A target that Node's parser rejects. */
const BARE = 'GET /entitiesV2/urn:li:tag:a b HTTP/1.1';

describe('the user whom a proxy in front names', () => {
  const stops: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });

  /** Sends a request through a proxy; returns the user that the app was told, or the status of a rejection. */
  const relay = async (users: RelayedUsers | undefined, head: readonly string[]): Promise<unknown> => {
    const app = createServer(({ headers }, response) => response.end(`user ${String(headers[RELAYED])}.`));
    app.listen(0, '127.0.0.1');
    await once(app, 'listening');
    stops.push(async () => {
      app.closeAllConnections();
      await new Promise((resolve) => app.close(resolve));
    });
    const at = [`http://127.0.0.1:${String((app.address() as AddressInfo).port)}`];
    const apps = { ingest: at, query: at, graph: at, admin: at };
    const proxy = await startProxy({ host: '127.0.0.1', port: 0, vendor: 'linkedin', apps, users });
    stops.push(() => proxy.stop());
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    socket.write(`${[...head, 'Host: 127.0.0.1', 'Connection: close'].join('\r\n')}\r\n\r\n`);
    const answer = await text(socket);
    const [, status] = answer.split(' ', 2);
    return status === '200' ? /user (.*)\./.exec(answer)?.[1] : Number(status);
  };

  const users = { header: 'x-remote-user', proxies: ['loopback'] };
  const strangers = { ...users, proxies: ['192.0.2.1'] };

  it.each([
    ['is told to the app', users, [GET, 'X-Remote-User: ada'], 'ada'],
    ['is no user without the header', users, [GET], 'undefined'],
    ['is no user that a client names to the apps', users, [GET, `${RELAYED}: grace`], 'undefined'],
    [
      'is no user without the settings',
      undefined,
      [GET, `${RELAYED}: grace`, 'X-Remote-User: ada'],
      'undefined',
    ],
    ['is no user when the target is parsed by hand', users, [BARE, 'X-Remote-User: ada'], 'undefined'],
    ['is no user then without the settings, too', undefined, [BARE, `${RELAYED}: grace`], 'undefined'],
    ['is rejected when a stranger names it', strangers, [GET, 'X-Remote-User: ada'], 403],
    ['is rejected when it is no single one', users, [GET, 'X-Remote-User: ada', 'X-Remote-User: grace'], 401],
  ])('%s', async (_name, options, head, expected) => {
    expect(await relay(options, head)).toBe(expected);
  });
});
