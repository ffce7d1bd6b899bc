import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { takesGzip } from '../request/body/content-encoding';
import type { WireReply, WireRequest } from '../request/wire';

/** A body that is a resource of its own: a page, a style sheet, a document. */
export interface Content {
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly gzipped: Buffer;
  readonly etag: string;
  /** Headers that are sent with the body. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Prepares a body that is sent many times. */
export function toContent(
  contentType: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Content {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
  // Weak: the compressed form has other bytes.
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
  return { contentType, bytes, gzipped: gzipSync(bytes), etag, headers };
}

/** Sends content, compressed where the client accepts it, or 304 when the client has it. */
export function sendContent(request: WireRequest, reply: WireReply, content: Content): void {
  const { etag, headers, contentType, bytes, gzipped } = content;
  const packs = takesGzip(request.headers['accept-encoding']);
  void reply.headers({ 'cache-control': 'no-cache', ...headers, etag, vary: 'accept-encoding' });
  if (isKnown(request.headers['if-none-match'], etag)) {
    void reply.code(304).send();
    return;
  }
  if (packs) void reply.header('content-encoding', 'gzip');
  void reply.header('content-type', contentType).send(packs ? gzipped : bytes);
}

function isKnown(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((tag) => [etag, '*'].includes(tag.trim())) ?? false;
}
