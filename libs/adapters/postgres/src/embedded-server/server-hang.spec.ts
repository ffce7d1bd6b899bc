import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { untilHung } from './server-hang';

const LIMIT_MS = limitMs(300);
/** More probes than the limit of unanswered ones. */
const MANY = 12;

describe('untilHung', () => {
  const never = new AbortController().signal;
  /** Watches a server without a recovery process. */
  const watch = (port: number, signal = never, isRecovering = false): Promise<boolean> =>
    untilHung({ port, limitMs: LIMIT_MS, signal, isRecovering: () => isRecovering });
  let server: Server | undefined;
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server?.close();
  });

  /** Starts a server that passes each connection to `receive`. */
  const listening = async (receive: (socket: Socket) => void): Promise<number> => {
    server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      receive(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };

  it.each([
    ['accepts connections and sends nothing', () => undefined],
    ['closes connections without an answer', (socket: Socket) => socket.destroy()],
  ])('resolves with true when the server %s', async (_how, receive) => {
    const port = await listening(receive);
    expect(await watch(port)).toBe(true);
    expect(sockets.length).toBe(6);
  });

  it('resolves with true when no server listens', async () => {
    const port = await listening(() => undefined);
    server?.close();
    expect(await watch(port)).toBe(true);
  });

  const rejection = (code: string, message: string): string =>
    `E\0\0\0\u0008SFATAL\0C${code}\0M${message}\0\0`;
  const RECOVERING = rejection('57P03', 'the database system is in recovery mode');

  it.each([
    ['a password request', 'R\0\0\0\u0017\0\0\0\nSCRAM-SHA-256\0\0', false],
    ['a rejection for too many sessions', rejection('53300', 'sorry, too many clients already'), false],
    ['a rejection because it is stopping', rejection('57P03', 'the database system is shutting down'), false],
    ['a report of a real recovery', RECOVERING, true],
  ])('accepts %s as an answer', async (_what, word, isRecovering) => {
    const over = new AbortController();
    const port = await listening((socket) => {
      socket.once('data', () => socket.write(word));
      if (sockets.length === MANY) over.abort();
    });
    expect(await watch(port, over.signal, isRecovering)).toBe(false);
  });

  it('resolves with true when the server reports a recovery that no process runs', async () => {
    const port = await listening((socket) => socket.once('data', () => socket.write(RECOVERING)));
    expect(await watch(port)).toBe(true);
  });

  it('restarts the count after each answer', async () => {
    const over = new AbortController();
    const port = await listening((socket) => {
      if (sockets.length % 4 === 0) socket.once('data', () => socket.write('E'));
      else socket.destroy();
      if (sockets.length === MANY) over.abort();
    });
    expect(await watch(port, over.signal)).toBe(false);
  });

  it('sends a startup message of the PostgreSQL protocol', async () => {
    const received = new Promise<Buffer>((resolve) => {
      void listening((socket) => socket.once('data', resolve)).then((port) => watch(port));
    });
    const message = await received;
    expect(message.readInt32BE(0)).toBe(message.length);
    expect(message.subarray(8).toString()).toBe('user\0stratalog\0database\0postgres\0\0');
  });
});
