import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from '@jest/globals';
import { generate } from 'selfsigned';
import { bootWire } from '../testing/boot-wire';
import { SampleModule } from '../testing/sample.module';
import { limitConnections } from './limit-connections';

const SMALL = { max: 12, maxOfNetwork: 4, kept: 3, few: 2 };
const ASK = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Client {
  readonly socket: Socket;
  readonly isOpen: () => boolean;
  readonly closed: Promise<void>;
}

function watch(socket: Socket): Client {
  let isOpen = true;
  const closed = new Promise<void>((resolve) => {
    socket
      .on('error', () => undefined)
      .on('close', () => {
        isOpen = false;
        resolve();
      });
  });
  return { socket: socket.resume(), isOpen: () => isOpen, closed };
}

/** Opens a connection from an address of this machine, and resolves when the server has it. */
async function open(server: Server, from: string): Promise<Client> {
  const accepted = once(server, 'connection');
  const client = watch(connect({ port: portOf(server), host: '127.0.0.1', localAddress: from }));
  await accepted;
  return client;
}

async function openAll(server: Server, from: string, count: number): Promise<Client[]> {
  const clients: Client[] = [];
  for (let at = 0; at < count; at++) clients.push(await open(server, from));
  return clients;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

const openOnes = (clients: readonly Client[]): boolean[] => clients.map(({ isOpen }) => isOpen());

async function answerTo({ socket }: Client): Promise<string> {
  const answer = once(socket, 'data', { signal: AbortSignal.timeout(limitMs(5_000)) }) as Promise<[Buffer]>;
  socket.write(ASK);
  return (await answer)[0].toString().split('\r\n', 1)[0] ?? '';
}

/** A server with few places, whose requests are in progress until the test answers them. */
async function startSmall(trusted: readonly string[] = []): Promise<Server> {
  const server = createServer();
  limitConnections(server, trusted, SMALL);
  server.listen(0);
  await once(server, 'listening');
  cleanups.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return server;
}

/** Sends a request, and resolves with its answer to be when it is in progress. */
async function ask(server: Server, { socket }: Client): Promise<ServerResponse> {
  const begun = once(server, 'request') as Promise<[unknown, ServerResponse]>;
  socket.write(ASK);
  return (await begun)[1];
}

/** Opens connections whose requests stay in progress. */
async function openBusy(server: Server, from: string, count: number): Promise<Client[]> {
  const clients = await openAll(server, from, count);
  for (const client of clients) await ask(server, client);
  return clients;
}

describe('the connections of one network', () => {
  it('are limited: a further one takes the place of the one that has been idle longest', async () => {
    const server = await startSmall();
    const first = await open(server, '127.0.0.1');
    const clients = [first, ...(await openAll(server, '127.0.0.1', 3))];
    // The first one has a request in progress, so the second one has been idle longest.
    const answer = await ask(server, first);
    clients.push(await open(server, '127.0.0.1'));
    await clients[1]?.closed;
    expect(openOnes(clients)).toEqual([true, false, true, true, true]);
    // Answered, it is the last of the idle ones.
    const answered = once(answer, 'close');
    answer.end('done');
    await answered;
    clients.push(await open(server, '127.0.0.1'));
    await clients[2]?.closed;
    expect(openOnes(clients)).toEqual([true, false, false, true, true, true]);
  });

  it('all have a request in progress: a further one is closed, and one of another network is not', async () => {
    const server = await startSmall();
    const busy = await openBusy(server, '127.0.0.1', 4);
    const further = await open(server, '127.0.0.1');
    await further.closed;
    const other = await open(server, '127.0.0.2');
    await openBusy(server, '127.0.0.2', 1);
    expect([...openOnes(busy), other.isOpen()]).toEqual([true, true, true, true, true]);
  });

  it('have their places again when they close', async () => {
    const server = await startSmall();
    const first = await open(server, '127.0.0.1');
    const ended = once(await ask(server, first), 'close');
    await openBusy(server, '127.0.0.1', 3);
    first.socket.destroy();
    await ended;
    const next = await openBusy(server, '127.0.0.1', 1);
    expect(openOnes(next)).toEqual([true]);
  });

  it('are not limited for a trusted proxy', async () => {
    const server = await startSmall(['127.0.0.8/30']);
    const clients = await openBusy(server, '127.0.0.9', 6);
    expect(openOnes(clients)).toEqual(Array(6).fill(true));
  });
});

describe('the connections of all networks', () => {
  it('are limited: a further one takes the place of the one that has been idle longest', async () => {
    const server = await startSmall();
    const clients: Client[] = [];
    for (const from of ['127.0.0.1', '127.0.0.2', '127.0.0.3']) {
      clients.push(...(await openAll(server, from, 3)));
    }
    // Nine of twelve: the last three are kept for networks with fewer than two.
    const fourth = await open(server, '127.0.0.3');
    await clients[0]?.closed;
    expect([...openOnes(clients), fourth.isOpen()]).toEqual([false, ...Array<boolean>(9).fill(true)]);
  });

  it('leave places to networks that have few, even when all have a request in progress', async () => {
    const server = await startSmall();
    const busy: Client[] = [];
    for (const from of ['127.0.0.1', '127.0.0.2', '127.0.0.3']) {
      busy.push(...(await openBusy(server, from, 3)));
    }
    const fourth = await open(server, '127.0.0.3');
    await fourth.closed;
    const probes = await openBusy(server, '127.0.0.4', 2);
    probes.push(...(await openBusy(server, '127.0.0.5', 1)));
    const late = await open(server, '127.0.0.6');
    await late.closed;
    expect(openOnes([...busy, ...probes])).toEqual(Array(12).fill(true));
  });
});

it('a server with TLS knows which connections are idle', async () => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
  });
  const server = createTlsServer({ cert, key });
  limitConnections(server, [], { ...SMALL, maxOfNetwork: 2 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const openSecure = async (): Promise<Client> => {
    const accepted = once(server, 'secureConnection');
    const client = watch(connectTls({ port: portOf(server), host: '127.0.0.1', rejectUnauthorized: false }));
    await accepted;
    return client;
  };
  const busy = await openSecure();
  await ask(server, busy);
  const idle = await openSecure();
  const raw = await open(server, '127.0.0.1');
  await idle.closed;
  // It never began to speak TLS, and is idle too.
  const next = await openSecure();
  await raw.closed;
  expect(openOnes([busy, next])).toEqual([true, true]);
});

it('thousands of connections that send nothing keep nobody from an answer', async () => {
  const { application } = await bootWire(SampleModule);
  cleanups.push(() => application.close());
  const server = application.getHttpServer();
  const silent: Client[] = [];
  for (const from of ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4']) {
    silent.push(...(await openAll(server, from, 1_100)));
  }
  for (const from of ['127.0.0.1', '127.0.0.5']) {
    expect(await answerTo(await open(server, from))).toBe('HTTP/1.1 200 OK');
  }
  // Each network may have 1,024, and all of them 4,096 - 64; the first one asks in place of one more.
  const gone = [76 + 64 + 1, 76, 76, 76].map((count, at) => silent.slice(at * 1_100, at * 1_100 + count));
  for (const { closed } of gone.flat()) await closed;
  expect(openOnes(silent).filter(Boolean)).toHaveLength(4_096 - 64 - 1);
  for (const { socket } of silent) socket.destroy();
});
