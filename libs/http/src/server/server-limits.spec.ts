import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Controller, Module } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { createHttpApplication } from './create-http-application';
import { defineRoute } from '../routing/define-route';
import { Route } from '../routing/route.decorators';
import { bootWire } from '../testing/boot-wire';
import { SampleModule } from '../testing/sample.module';

describe('the server', () => {
  it('bounds how long a client may take over its request', async () => {
    const { application } = await bootWire(SampleModule);
    const server = application.getHttpServer();
    expect([server.headersTimeout, server.requestTimeout]).toEqual([20_000, 60_000]);
    expect(server.timeout).toBeGreaterThan(server.requestTimeout);
    await application.close();
  });

  it('ends a request whose body does not arrive, at its time limit and not long after', async () => {
    const { application, send } = await bootWire(SampleModule);
    const server = application.getHttpServer();
    // Shortens the limit only; the interval of its check is the server's.
    server.headersTimeout = 100;
    server.requestTimeout = 200;
    const startedAt = performance.now();
    const answer = await send('POST /entities?action=echo HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{');
    expect([answer.status, answer.json]).toMatchObject([408, { status: 408 }]);
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    await application.close();
  });

  it('reads a query in a tunnel up to its limit, and discards as much again', async () => {
    const { application, port } = await bootWire(SampleModule, { maxBodyBytes: 100_000 });
    const server = application.getHttpServer();
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = connect(port, '127.0.0.1');
    client.on('error', () => undefined);
    const [serverSide] = await accepted;
    let answer = '';
    client.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    client.write(
      'POST /relationships HTTP/1.1\r\nHost: x\r\nX-HTTP-Method-Override: GET\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
    const closed = once(serverSide, 'close');
    // Writes until the server accepts no more.
    const pump = (): void => {
      while (!client.destroyed && client.write(chunk));
    };
    client.on('drain', pump);
    pump();
    await closed;
    client.destroy();
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(serverSide.bytesRead).toBeLessThan(1_000_000);
    await application.close();
  });

  it('closes the oldest connections whose clients read nothing, when their answers hold too much', async () => {
    const TEXT = 'x'.repeat(8_000_000);
    @Controller()
    class LargeController {
      @Route(defineRoute({ path: 'large', app: 'query' }))
      read(): string {
        return TEXT;
      }
    }
    @Module({ controllers: [LargeController] })
    class LargeModule {}

    const { application, port, send } = await bootWire(LargeModule, { maxUnreadLength: 20_000_000 });
    const request = 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n';
    const server = application.getHttpServer();
    const ask = async (): Promise<Socket> => {
      const accepted = once(server, 'connection') as Promise<[Socket]>;
      const answering = once(server, 'request');
      const client = connect(port, '127.0.0.1').pause();
      client.on('error', () => undefined);
      client.write(request);
      const [serverSide] = await accepted;
      await answering;
      return serverSide;
    };
    const sockets: Socket[] = [];
    for (let at = 0; at < 5; at++) sockets.push(await ask());
    const close = async (socket: Socket): Promise<unknown> => socket.destroyed || once(socket, 'close');
    await Promise.all(sockets.slice(0, 3).map(close));
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true, true, false, false]);
    // A client that reads gets its answer, at the cost of the next one that does not.
    const answer = await send(request);
    expect([answer.status, answer.body.length]).toEqual([200, TEXT.length + 2]);
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true, true, true, false]);
    for (const socket of sockets) socket.destroy();
    await application.close();
  });

  it('does not start when two modules serve the same action', async () => {
    @Controller()
    class TwiceController {
      @Route(defineRoute({ path: 'entities', action: 'search', app: 'query' }))
      search(): string {
        return 'again';
      }
    }
    @Module({ imports: [SampleModule], controllers: [TwiceController] })
    class TwiceModule {}

    const application = await createHttpApplication(TwiceModule, {
      auth: { mode: 'none', tokens: [] },
      onFault: () => undefined,
    });
    await expect(application.init()).rejects.toThrow('already declared');
    await application.close();
  });
});
