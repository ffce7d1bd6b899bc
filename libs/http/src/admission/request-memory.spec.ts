import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { bootWire, type BootedWire } from '../testing/boot-wire';
import { heldCalls, type HeldCalls } from '../testing/held-calls';
import { SampleModule } from '../testing/sample.module';
import type { MemoryLimits } from './memory-budget';

const KB = 1024;
const MB = 1024 * KB;
const MAX_BODY_BYTES = 200 * KB;
const HOLD = '/entities?action=hold';
/** Room for everything, except for what a test narrows. */
const ROOM: MemoryLimits = {
  bodies: 100 * MB,
  requests: 100 * MB,
  smallValues: 100 * MB,
  largeValues: 100 * MB,
};
const plain = (bytes: number): string => `{}${' '.repeat(bytes - 2)}`;
/** A body of 24 kB whose values cost 0.75 MB. */
const DEAR = `{"x":[${'{},'.repeat(8_000)}0]}`;
const ONE_DEAR = 1 * MB;
const headOf = (...headers: readonly string[]): string =>
  [`POST ${HOLD} HTTP/1.1`, 'Host: catalog', ...headers, '', ''].join('\r\n');
const toCall = (body: string): string => headOf(`Content-Length: ${String(body.length)}`) + body;

describe('the memory of requests under way', () => {
  let calls: HeldCalls;
  let wire: BootedWire;
  const boot = async (memory: Partial<MemoryLimits>, queryTimeoutMs = 60_000): Promise<void> => {
    calls = heldCalls();
    const options = { maxBodyBytes: MAX_BODY_BYTES, queryTimeoutMs, memory: { ...ROOM, ...memory } };
    wire = await bootWire(calls.module, options);
  };
  afterEach(async () => {
    calls.letGo();
    await wire.application.close();
  });

  const hold = (body: string) => wire.post(HOLD, body);
  /** Opens a connection, and returns it with a promise of its end as the server sees it. */
  const openConnection = async (): Promise<{ socket: Socket; ended: Promise<unknown> }> => {
    const accepted = once(wire.application.getHttpServer(), 'connection') as Promise<[Socket]>;
    const socket = connect(wire.port, '127.0.0.1');
    const [serverSide] = await accepted;
    return { socket, ended: once(serverSide, 'close') };
  };
  const requested = (): Promise<unknown> => once(wire.application.getHttpServer(), 'request');

  describe('for the values of bodies', () => {
    it('is what they take in the heap: the next one waits until another is answered', async () => {
      await boot({ largeValues: ONE_DEAR });
      const first = hold(DEAR);
      await calls.arrived(1);
      const second = hold(DEAR);
      const small = hold('{}');
      await calls.arrived(2);
      calls.letGo();
      const answers = await Promise.all([first, second, small]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(calls.count()).toBe(3);
    });

    it('is rejected with 503 when none becomes free in time', async () => {
      await boot({ largeValues: ONE_DEAR }, 50);
      const first = hold(DEAR);
      await calls.arrived(1);
      const { status, headers, json } = await hold(DEAR);
      expect([status, headers['retry-after']]).toEqual([503, '1']);
      expect(json).toMatchObject({
        message: expect.stringContaining('The values of bodies under way take all the memory'),
      });
      calls.letGo();
      expect((await first).status).toBe(200);
      expect((await hold(DEAR)).status).toBe(200);
    });

    it('is rejected with 413, which says what they take, when there is never enough', async () => {
      await boot({ largeValues: 600 * KB });
      const { status, json } = await hold(DEAR);
      expect(status).toBe(413);
      expect(json).toMatchObject({
        message:
          'The values of the body would take about 1 MB of memory, and those of this call may take 1 MB here: send fewer values at once',
      });
      const { status: byCall, json: reason } = await hold(`{"x":[${'{},'.repeat(60_000)}0]}`);
      expect(byCall).toBe(413);
      expect(reason).toMatchObject({ message: expect.stringContaining('would take about 6 MB') });
    });

    it('stays taken after the connection broke, as long as the work goes on', async () => {
      await boot({ largeValues: 2 * ONE_DEAR }, 50);
      const { socket, ended } = await openConnection();
      socket.write(toCall(DEAR) + toCall(DEAR));
      await calls.arrived(2);
      socket.destroy();
      await ended;
      expect((await hold(DEAR)).status).toBe(503);
      calls.letGo();
      const answers = await Promise.all([hold(DEAR), hold(DEAR)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    });

    it('is not waited for by a client that has left', async () => {
      await boot({ largeValues: ONE_DEAR });
      const first = hold(DEAR);
      await calls.arrived(1);
      const { socket, ended } = await openConnection();
      const isRequested = requested();
      socket.write(toCall(DEAR));
      await isRequested;
      socket.destroy();
      await ended;
      calls.letGo();
      expect([(await first).status, (await hold(DEAR)).status]).toEqual([200, 200]);
      expect(calls.count()).toBe(2);
    });
  });

  describe('for bodies', () => {
    it('is taken as they arrive, whatever length they declare', async () => {
      await boot({ bodies: 100 * KB });
      const isRequested = requested();
      const declared = await openConnection();
      declared.socket.write(headOf(`Content-Length: ${String(100 * KB)}`));
      await isRequested;
      const chunked = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const { socket } = await openConnection();
          const isNext = requested();
          socket.write(`${headOf('Transfer-Encoding: chunked')}c8\r\n${plain(200)}\r\n`);
          await isNext;
          return socket;
        }),
      );
      const packed = gzipSync(plain(1_000)).toString('latin1');
      const head = headOf('Content-Encoding: gzip', `Content-Length: ${String(packed.length)}`);
      const last = wire.send(Buffer.from(head + packed, 'latin1'));
      for (const socket of chunked) socket.write('0\r\n\r\n');
      await calls.arrived(21);
      calls.letGo();
      expect((await last).status).toBe(200);
      for (const { socket } of [declared, ...chunked.map((each) => ({ socket: each }))]) socket.destroy();
    });

    it('is rejected with 503 beyond what is left, and free again when a connection breaks', async () => {
      await boot({ bodies: 100 * KB });
      const { socket, ended } = await openConnection();
      const isRequested = once(wire.application.getHttpServer(), 'request') as Promise<[Socket]>;
      socket.write(headOf(`Content-Length: ${String(90 * KB)}`) + plain(80 * KB));
      const [request] = await isRequested;
      await once(request, 'data');
      const rejected = await hold(plain(99 * KB));
      expect([rejected.status, rejected.headers['retry-after']]).toEqual([503, '1']);
      expect(rejected.json).toMatchObject({
        message: expect.stringContaining('The bodies under way take all the memory'),
      });
      socket.destroy();
      await ended;
      const next = hold(plain(99 * KB));
      await calls.arrived(1);
      calls.letGo();
      expect((await next).status).toBe(200);
    });

    it('is not taken by what is above the limit of a call, which gets 413', async () => {
      await boot({ bodies: 300 * KB });
      expect((await hold(plain(MAX_BODY_BYTES + 1))).status).toBe(413);
      const chunk = `${(MAX_BODY_BYTES + 1).toString(16)}\r\n${plain(MAX_BODY_BYTES + 1)}\r\n0\r\n\r\n`;
      const { status, json } = await wire.send(headOf('Transfer-Encoding: chunked') + chunk);
      expect([status, json]).toMatchObject([413, { message: expect.stringContaining('204800 bytes') }]);
    });
  });
});

describe('the memory of requests without a body', () => {
  it('bounds how many are under way, and what their queries hold; health is answered always', async () => {
    const wire = await bootWire(SampleModule, { memory: { ...ROOM, requests: 200 * KB } });
    const { status, json } = await wire.get(`/entitiesV2/urn:li:tag:a?${'a&'.repeat(4_000)}`);
    expect([status, json]).toMatchObject([
      503,
      {
        message:
          'The requests under way take all the memory that is set aside for them, which is 1 MB: repeat the call',
      },
    ]);
    expect((await wire.get('/entitiesV2/urn:li:tag:a')).status).toBe(200);
    expect((await wire.get(`/health?${'a&'.repeat(4_000)}`)).status).toBe(200);
    // The rejected one took nothing, so that others fit, again and again.
    for (let round = 0; round < 60; round++)
      expect((await wire.get('/entitiesV2/urn:li:tag:a')).status).toBe(200);
    await wire.application.close();
  });
});
