import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, constants, gzip } from 'node:zlib';
import type { FastifyInstance, RequestPayload } from 'fastify';
import { hasBody } from './has-body';
import { TransportError } from '../errors/transport-error';

/** Compressing smaller answers costs more time than it saves on any line. */
const MIN_ENCODED_LENGTH = 1_400;
/** The fastest level: it shrinks JSON to a tenth already. */
const LEVEL = constants.Z_BEST_SPEED;
const GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/;
const JSON_TYPE = /\bjson\b/;

const UNPACKERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const;

/** Whether the `Accept-Encoding` header permits an answer in gzip. */
export function takesGzip(acceptEncoding: string | undefined): boolean {
  return GZIP.test(acceptEncoding ?? '');
}

/** The content encoding of a body; `undefined` when it is plain. */
export function packingOf(contentEncoding: string | undefined): string | undefined {
  const packing = contentEncoding?.trim().toLowerCase() ?? '';
  return packing === '' || packing === 'identity' ? undefined : packing;
}

/**
 * Decompresses request bodies as they arrive, so that the limit counts decompressed bytes. Compresses large
 * JSON answers for clients that accept it.
 *
 * **Errors**: 415 for an encoding other than gzip, deflate and br. The encoding of a body that is absent, or
 * that no route reads, is ignored.
 */
export function installPacking(instance: FastifyInstance): void {
  instance.addHook('preParsing', (request, reply, payload, done) => {
    const packing = packingOf(request.headers['content-encoding']);
    // The decoder of an unread body would report missing input as an error that nothing handles.
    if (packing === undefined || !hasBody(request.raw)) {
      done(null, payload);
      return;
    }
    if (!isKnown(packing)) {
      const known = Object.keys(UNPACKERS).join(', ');
      done(new TransportError(415, `Content-Encoding ${packing} is not supported; supported: ${known}`));
      return;
    }
    const unpacked = decodeContent(payload, packing);
    // A body that was rejected for its size is not decompressed to its end.
    reply.raw.once('close', () => unpacked.destroy());
    done(null, unpacked);
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
    gzip(payload, { level: LEVEL }, (error, packed) => {
      if (error === null) void reply.header('content-encoding', 'gzip');
      done(null, error === null ? packed : payload);
    });
  });
}

function isKnown(packing: string): packing is keyof typeof UNPACKERS {
  return Object.hasOwn(UNPACKERS, packing);
}

function decodeContent(payload: RequestPayload, packing: keyof typeof UNPACKERS): RequestPayload & Readable {
  const unpacked: RequestPayload & Readable = UNPACKERS[packing]();
  unpacked.receivedEncodedLength = 0;
  payload.on('data', (chunk: Buffer) => {
    unpacked.receivedEncodedLength = (unpacked.receivedEncodedLength ?? 0) + chunk.length;
  });
  // The reader of the stream handles its errors. A body that is rejected before it is read has no reader, and
  // an error without a listener would end the process.
  unpacked.on('error', () => undefined);
  // The rest of an abandoned body is read and discarded, because the next request on the connection follows
  // it. `pipeline` would detach the body from its connection instead, which would then stall.
  unpacked.once('close', () => {
    payload.unpipe(unpacked as unknown as NodeJS.WritableStream);
    payload.resume();
  });
  const giveUp = (error?: Error): void => {
    if (!unpacked.destroyed && !payload.readableEnded)
      unpacked.destroy(error ?? new Error('the body ended early'));
  };
  payload.once('error', giveUp).once('close', () => {
    giveUp();
  });
  payload.pipe(unpacked as unknown as NodeJS.WritableStream);
  return unpacked;
}
