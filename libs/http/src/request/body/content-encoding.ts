import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, constants, gzip } from 'node:zlib';
import type { FastifyInstance, RequestPayload } from 'fastify';
import { hasBody } from './has-body';
import { TransportError } from '../../errors/transport-error';

/** Compressing smaller answers costs more time than it saves on any line. */
const MIN_ENCODED_LENGTH = 1_400;
/** The fastest level: it shrinks JSON to a tenth already. */
const LEVEL = constants.Z_BEST_SPEED;
const GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/;
const JSON_TYPE = /\bjson\b/;

const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const;

/** True when the `Accept-Encoding` header permits an answer in gzip. */
export function takesGzip(acceptEncoding: string | undefined): boolean {
  return GZIP.test(acceptEncoding ?? '');
}

/** The content encoding of a body; `undefined` when it is plain. */
export function readContentEncoding(contentEncoding: string | undefined): string | undefined {
  const encoding = contentEncoding?.trim().toLowerCase() ?? '';
  return encoding === '' || encoding === 'identity' ? undefined : encoding;
}

/**
 * Decompresses request bodies as they arrive, so that the limit counts decompressed bytes. Compresses large
 * JSON answers for clients that accept it.
 *
 * **Errors**: 415 for an encoding other than gzip, deflate and br. The encoding of a body that is absent, or
 * that no route reads, is ignored.
 */
export function installContentEncoding(instance: FastifyInstance): void {
  instance.addHook('preParsing', (request, reply, payload, done) => {
    const encoding = readContentEncoding(request.headers['content-encoding']);
    // The decoder of an unread body would report missing input as an error that nothing handles.
    if (encoding === undefined || !hasBody(request.raw)) {
      done(null, payload);
      return;
    }
    if (!isKnown(encoding)) {
      const known = Object.keys(DECODERS).join(', ');
      done(new TransportError(415, `Content-Encoding ${encoding} is not supported; supported: ${known}`));
      return;
    }
    const decoded = decodeContent(payload, encoding);
    // A body that was rejected for its size is not decompressed to its end.
    reply.raw.once('close', () => decoded.destroy());
    done(null, decoded);
  });
  instance.addHook('onSend', (request, reply, payload, done) => {
    const contentType = String(reply.getHeader('content-type') ?? '');
    const isLarge = typeof payload === 'string' && payload.length >= MIN_ENCODED_LENGTH;
    if (!isLarge || !JSON_TYPE.test(contentType) || reply.hasHeader('content-encoding')) {
      done(null, payload);
      return;
    }
    const vary = reply.getHeader('vary');
    void reply.header('vary', vary === undefined ? 'accept-encoding' : `${String(vary)}, accept-encoding`);
    if (!takesGzip(request.headers['accept-encoding'])) {
      done(null, payload);
      return;
    }
    gzip(payload, { level: LEVEL }, (error, compressed) => {
      if (error === null) void reply.header('content-encoding', 'gzip');
      done(null, error === null ? compressed : payload);
    });
  });
}

function isKnown(encoding: string): encoding is keyof typeof DECODERS {
  return Object.hasOwn(DECODERS, encoding);
}

function decodeContent(payload: RequestPayload, encoding: keyof typeof DECODERS): RequestPayload & Readable {
  const decoded: RequestPayload & Readable = DECODERS[encoding]();
  decoded.receivedEncodedLength = 0;
  payload.on('data', (chunk: Buffer) => {
    decoded.receivedEncodedLength = (decoded.receivedEncodedLength ?? 0) + chunk.length;
  });
  // The reader of the stream handles its errors. A body that is rejected before it is read has no reader, and
  // an error without a listener would end the process.
  decoded.on('error', () => undefined);
  // The rest of an abandoned body is read and discarded, because the next request on the connection follows
  // it. `pipeline` would detach the body from its connection instead, which would then stall.
  decoded.once('close', () => {
    payload.unpipe(decoded as unknown as NodeJS.WritableStream);
    payload.resume();
  });
  const giveUp = (error?: Error): void => {
    if (!decoded.destroyed && !payload.readableEnded)
      decoded.destroy(error ?? new Error('the body ended early'));
  };
  payload.once('error', giveUp).once('close', () => {
    giveUp();
  });
  payload.pipe(decoded as unknown as NodeJS.WritableStream);
  return decoded;
}
