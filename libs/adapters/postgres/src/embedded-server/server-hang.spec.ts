import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { untilHung } from './server-hang';

const LIMIT_MS = limitMs(300);
/** More questions than a silence has. */
const MANY = 12;

describe('untilHung', () => {
  const never = new AbortController().signal;
  /** One that nothing recovers behind. */
  const watch = (port: number, signal = never, isRecovering = false): Promise<boolean> =>
    untilHung({ port, limitMs: LIMIT_MS, signal, isRecovering: () => isRecovering });
  let server: Server | undefined;
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server?.close();
  });

  /** Something that listens and does this with whoever comes. */
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
    ['takes connections and says nothing', () => undefined],
    ['hangs up without a word', (socket: Socket) => socket.destroy()],
  ])('resolves with true when the server %s', async (_how, receive) => {
    const port = await listening(receive);
    expect(await watch(port)).toBe(true);
    expect(sockets.length).toBe(6);
  });

  it('resolves with true when nobody listens', async () => {
    const port = await listening(() => undefined);
    server?.close();
    expect(await watch(port)).toBe(true);
  });

  const rejection = (code: string, message: string): string =>
    `E\0\0\0\u0008SFATAL\0C${code}\0M${message}\0\0`;
  const RECOVERING = rejection('57P03', 'the database system is in recovery mode');

  it.each([
    ['a question for the password', 'R\0\0\0\u0017\0\0\0\nSCRAM-SHA-256\0\0', false],
    ['that it has too many sessions', rejection('53300', 'sorry, too many clients already'), false],
    ['that it is being stopped', rejection('57P03', 'the database system is shutting down'), false],
    ['that it recovers, which it does', RECOVERING, true],
  ])('takes %s for an answer', async (_what, word, isRecovering) => {
    const over = new AbortController();
    const port = await listening((socket) => {
      socket.once('data', () => socket.write(word));
      if (sockets.length === MANY) over.abort();
    });
    expect(await watch(port, over.signal, isRecovering)).toBe(false);
  });

  it('resolves with true when the server says that it recovers, which nothing does', async () => {
    const port = await listening((socket) => socket.once('data', () => socket.write(RECOVERING)));
    expect(await watch(port)).toBe(true);
  });

  it('starts to count again after each answer', async () => {
    const over = new AbortController();
    const port = await listening((socket) => {
      if (sockets.length % 4 === 0) socket.once('data', () => socket.write('E'));
      else socket.destroy();
      if (sockets.length === MANY) over.abort();
    });
    expect(await watch(port, over.signal)).toBe(false);
  });

  it('asks as PostgreSQL expects it', async () => {
    const asked = new Promise<Buffer>((resolve) => {
      void listening((socket) => socket.once('data', resolve)).then((port) => watch(port));
    });
    const message = await asked;
    expect(message.readInt32BE(0)).toBe(message.length);
    expect(message.subarray(8).toString()).toBe('user\0stratalog\0database\0postgres\0\0');
  });
});
