import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { bootWire, type BootedWire } from '../testing/boot-wire';
import { heldCalls, type HeldCalls } from '../testing/held-calls';

const MAX_BODY_BYTES = 1_000;
const HOLD = '/entities?action=hold';
const toBody = (bytes: number): string => `{}${' '.repeat(bytes - 2)}`;
const headOf = (...headers: readonly string[]): string =>
  [`POST ${HOLD} HTTP/1.1`, 'Host: catalog', ...headers, '', ''].join('\r\n');
const toCall = (bytes: number): string => headOf(`Content-Length: ${bytes}`) + toBody(bytes);

describe('the bodies of requests under way', () => {
  let calls: HeldCalls;
  let wire: BootedWire;
  beforeEach(async () => {
    calls = heldCalls();
    wire = await bootWire(calls.module, { maxBodyBytes: MAX_BODY_BYTES, maxInFlightBytes: 2_000 });
  });
  afterEach(async () => {
    calls.letGo();
    await wire.application.close();
  });

  const hold = (bytes: number) => wire.post(HOLD, toBody(bytes));
  /** Opens a connection, and returns it with a promise of its end as the server sees it. */
  const openConnection = async (): Promise<{ socket: Socket; ended: Promise<unknown> }> => {
    const accepted = once(wire.application.getHttpServer(), 'connection') as Promise<[Socket]>;
    const socket = connect(wire.port, '127.0.0.1');
    const [serverSide] = await accepted;
    return { socket, ended: once(serverSide, 'close') };
  };

  it('beyond the budget get 429 until other requests are answered', async () => {
    const first = hold(1_000);
    const second = hold(700);
    await calls.arrived(2);

    const rejected = await hold(301);
    expect(rejected.status).toBe(429);
    expect(rejected.headers).toMatchObject({ 'retry-after': '1', 'x-restli-error-response': 'true' });
    expect(rejected.json).toMatchObject({ status: 429, message: expect.stringContaining('repeat the call') });

    const third = hold(300);
    await calls.arrived(3);
    calls.letGo();
    for (const held of [first, second, third]) expect((await held).status).toBe(200);
    expect((await Promise.all([hold(1_000), hold(1_000)])).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('count before they arrive, and with the maximum size when their length is not declared', async () => {
    const { socket, ended } = await openConnection();
    const requested = once(wire.application.getHttpServer(), 'request');
    socket.write(headOf('Transfer-Encoding: chunked'));
    await requested;
    const second = hold(1_000);
    await calls.arrived(1);

    expect((await hold(2)).status).toBe(429);

    socket.destroy();
    await ended;
    const third = hold(1_000);
    await calls.arrived(2);
    calls.letGo();
    expect([(await second).status, (await third).status]).toEqual([200, 200]);
  });

  it('are released when a connection breaks, including pipelined ones', async () => {
    const { socket, ended } = await openConnection();
    socket.write(toCall(1_000) + toCall(1_000));
    await calls.arrived(2);
    expect((await hold(2)).status).toBe(429);

    socket.destroy();
    await ended;
    const [first, second] = [hold(1_000), hold(1_000)];
    await calls.arrived(4);
    calls.letGo();
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
  });

  it('above their own limit get 413, and calls without a body need no budget', async () => {
    const held = [hold(1_000), hold(1_000)];
    await calls.arrived(2);
    expect((await hold(1_001)).status).toBe(413);
    const empty = wire.post(HOLD, '');
    await calls.arrived(3);
    calls.letGo();
    expect((await Promise.all([...held, empty])).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('fit one at a time at maximum size, however small the budget is', async () => {
    const { module, letGo } = heldCalls();
    const small = await bootWire(module, { maxBodyBytes: MAX_BODY_BYTES, maxInFlightBytes: 1 });
    letGo();
    expect((await small.post(HOLD, toBody(1_000))).status).toBe(200);
    await small.application.close();
  });
});
