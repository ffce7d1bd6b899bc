import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { parseJson, type JsonValue } from '@stratalog/json';

export interface RawRequest {
  readonly method: string;
  /** Sent unchanged, byte by byte. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** True: the body is sent as one chunk, without its length in front. */
  readonly isChunked?: boolean;
}

export interface Answer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed. */
  readonly body: string;
  /** The body as JSON, integers of any size exact. */
  readonly json: JsonValue;
}

const LIMIT_MS = limitMs(90_000);

/**
 * Sends one request over a connection of its own and reads the answer. HTTP libraries normalize targets and
 * add headers, which would hide half of what clients really send.
 *
 * **Errors**: rejects when the connection ends before a whole answer arrives, or no byte comes for 90 s.
 */
export function exchange(port: number, request: RawRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let missing = 1;
    const socket = connect(port, '127.0.0.1', () => socket.write(bytesOf(request)));
    socket.setTimeout(LIMIT_MS, () => socket.destroy(new Error(`no answer to ${request.target}`)));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      missing -= chunk.length;
      if (missing > 0) return;
      const answer = answerIn(Buffer.concat(chunks), request.method);
      if (typeof answer === 'number') {
        missing = answer;
        return;
      }
      resolve(answer);
      socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      reject(
        new Error(`${request.target}: closed after ${Buffer.concat(chunks).toString('latin1', 0, 200)}`),
      );
    });
  });
}

function bytesOf({ method, target, headers = {}, body, isChunked = false }: RawRequest): Buffer {
  const content = body === undefined ? undefined : Buffer.from(body);
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(content === undefined
      ? []
      : [isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${String(content.length)}`]),
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  if (content === undefined) return head;
  if (!isChunked) return Buffer.concat([head, content]);
  const size = Buffer.from(`${content.length.toString(16)}\r\n`);
  return Buffer.concat([head, size, content, Buffer.from('\r\n0\r\n\r\n')]);
}

/** Parses the answer, or returns the lowest number of bytes that it lacks. */
function answerIn(bytes: Buffer, method: string): Answer | number {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return 1;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  // A client that expects it gets `100 Continue` before the answer.
  if (statusLine.startsWith('HTTP/1.1 100 ')) return answerIn(bytes.subarray(headEnd + 4), method);
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colonAt = line.indexOf(':');
      return [line.slice(0, colonAt).toLowerCase(), line.slice(colonAt + 1).trim()];
    }),
  );
  const content = bytes.subarray(headEnd + 4);
  const length = method === 'HEAD' ? 0 : Number(headers['content-length'] ?? 0);
  if (content.length < length) return length - content.length;
  const packed = content.subarray(0, length);
  const isEncoded = length > 0 && headers['content-encoding'] === 'gzip';
  const body = (isEncoded ? gunzipSync(packed) : packed).toString('utf8');
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    body,
    get json() {
      return parseJson(body);
    },
  };
}
