import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHttpApplication } from './create-http-application';
import { exchange } from '../testing/exchange';
import { heldCalls, type HeldCalls } from '../testing/held-calls';

const toCall = (action: string): string =>
  `POST /entities?action=${action} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`;

describe('a server that closes', () => {
  let calls: HeldCalls;
  let application: NestFastifyApplication;
  let port: number;
  /** Runs after the server starts to close and before it releases its port. */
  let onClosing: () => Promise<void>;

  beforeEach(async () => {
    calls = heldCalls();
    onClosing = () => Promise.resolve();
    application = await createHttpApplication(calls.module, {
      auth: { mode: 'none', tokens: [] },
      onFault: () => undefined,
    });
    const instance = application.getHttpAdapter().getInstance();
    instance.addHook('preClose', () => onClosing());
    await application.listen(0, '127.0.0.1');
    ({ port } = application.getHttpServer().address() as AddressInfo);
  });

  it('answers requests under way, and ends without waiting for the client to hang up', async () => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    let received = '';
    socket.on('data', (chunk: string) => {
      received += chunk;
    });
    const ended = once(socket, 'end');
    socket.write(toCall('hold'));
    await calls.arrived(1);
    onClosing = () => {
      calls.letGo();
      return Promise.resolve();
    };

    await Promise.all([application.close(), ended]);

    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(received).toMatch(/\r\nconnection: close\r\n/);
    expect(received).toMatch(/\r\n\r\n\{"value":"held"\}$/);
  });

  it('waits for no connection that was opened ahead of a request', async () => {
    const socket = connect(port, '127.0.0.1');
    const accepted = once(application.getHttpServer(), 'connection');
    const ended = once(socket, 'close');
    socket.resume();
    await accepted;
    const started = performance.now();
    await Promise.all([application.close(), ended]);
    expect(performance.now() - started).toBeLessThan(limitMs(5_000));
  });

  it('answers requests that still arrive, each as the last on its connection', async () => {
    onClosing = async () => {
      calls.letGo();
      const taken = await exchange(port, toCall('hold'));
      expect([taken.status, taken.json, taken.headers.connection]).toEqual([200, { value: 'held' }, 'close']);
      const rejected = await exchange(port, toCall('nope'));
      expect(rejected.headers).toMatchObject({ 'x-restli-error-response': 'true', connection: 'close' });
      expect(rejected.json).toMatchObject({ status: 400, message: expect.stringContaining('nope') });
    };
    await application.close();
    expect.assertions(3);
  });
});
