import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootWire, type BootedWire } from '../testing/boot-wire';
import { heldCalls } from '../testing/held-calls';
import { SampleModule } from '../testing/sample.module';

let wire: BootedWire;

beforeAll(async () => {
  wire = await bootWire(SampleModule);
});

afterAll(() => wire.application.close());

/** Sends one request on a connection, and resolves with the status of its answer. */
async function ask(socket: Socket, request: Buffer | string): Promise<number> {
  socket.write(request);
  let received = '';
  for (;;) {
    const [chunk] = (await once(socket, 'data', { signal: AbortSignal.timeout(limitMs(5_000)) })) as [Buffer];
    received += chunk.toString('latin1');
    const headEnd = received.indexOf('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
    if (headEnd !== -1 && received.length >= headEnd + 4 + length) return Number(received.split(' ', 2)[1]);
  }
}

function packed(body: Buffer): Buffer {
  const head = [
    'POST /entities?action=search HTTP/1.1',
    'Host: catalog',
    'Content-Encoding: gzip',
    `Content-Length: ${String(body.length)}`,
  ].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body]);
}

describe('a connection after a compressed body that was rejected', () => {
  it.each([
    ['unpacks to more than the limit', gzipSync(Buffer.alloc(200_000_000)), 413],
    ['is not packed as it says', Buffer.concat([Buffer.from([0x1f, 0x8b]), randomBytes(300_000)]), 400],
    ['has something behind its end', Buffer.concat([gzipSync('{}'), randomBytes(300_000)]), 400],
  ])('answers the next request when the body %s', async (_name, body, status) => {
    const socket = connect(wire.port, '127.0.0.1');
    try {
      expect(await ask(socket, packed(body))).toBe(status);
      expect(await ask(socket, 'GET /health HTTP/1.1\r\nHost: catalog\r\n\r\n')).toBe(200);
    } finally {
      socket.destroy();
    }
  });
});

describe('a connection behind a request whose trailers name the connection', () => {
  const chunked = (path: string, trailer: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: catalog\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n${trailer}\r\n\r\n`;

  it.each(['Connection: close', 'connection: close, host', 'Proxy-Connection: close'])(
    'ends after the answer (%s)',
    async (trailer) => {
      for (const path of ['/nothing', '/entities?action=search']) {
        const socket = connect(wire.port, '127.0.0.1');
        try {
          const ended = once(socket, 'end', { signal: AbortSignal.timeout(limitMs(5_000)) });
          expect(await ask(socket, chunked(path, trailer))).toBeGreaterThanOrEqual(200);
          await ended;
        } finally {
          socket.destroy();
        }
      }
    },
  );

  it('is kept after any other trailer', async () => {
    const socket = connect(wire.port, '127.0.0.1');
    try {
      expect(await ask(socket, chunked('/nothing', 'X-Checksum: close'))).toBe(404);
      expect(await ask(socket, 'GET /health HTTP/1.1\r\nHost: catalog\r\n\r\n')).toBe(200);
    } finally {
      socket.destroy();
    }
  });
});

const HOLD = 'POST /entities?action=hold HTTP/1.1\r\nHost: catalog\r\nContent-Length: 2\r\n\r\n{}';

describe('a client that does not wait for answers', () => {
  it('has few requests under way, no further ones read, and all answered in the end', async () => {
    const { module, arrived, letGo, count } = heldCalls();
    const held = await bootWire(module);
    const accepted = once(held.application.getHttpServer(), 'connection') as Promise<[Socket]>;
    const socket = connect(held.port, '127.0.0.1');
    try {
      const sent = 100_000;
      socket.write(HOLD.repeat(sent));
      await arrived(8);
      for (let round = 0; round < 20; round++) expect((await held.get('/nothing')).status).toBe(404);
      expect(count()).toBe(8);
      const [{ bytesRead }] = await accepted;
      expect(bytesRead).toBeLessThan(500_000);
      letGo();
      let answered = 0;
      for await (const chunk of socket) {
        answered += (chunk as Buffer).toString('latin1').split('"held"').length - 1;
        if (answered > 10_000) break;
      }
      expect(answered).toBeGreaterThan(10_000);
    } finally {
      socket.destroy();
      await held.application.close();
    }
  });
});
