import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body as received. */
  readonly bytes: Buffer;
  /** The body as JSON. */
  readonly json: unknown;
}

const TIMEOUT_MS = limitMs(10_000);

/**
 * Sends bytes to a local port and reads one answer. Libraries normalize targets and headers before they send
 * them; this function does not.
 *
 * **Errors**: rejects when the connection ends or breaks before a whole answer arrives.
 */
export function exchange(port: number, request: string | Buffer): Promise<RawAnswer> {
  // An answer to HEAD has the length of a body, and no body.
  const isHead = Buffer.from(request).toString('latin1', 0, 5) === 'HEAD ';
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no answer in time')));
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      received += chunk;
      const answer = readAnswer(received, isHead);
      if (answer === undefined) return;
      resolve(answer);
      socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      reject(new Error(`closed after ${received.length} bytes: ${received.slice(0, 200)}`));
    });
  });
}

function readAnswer(text: string, isHead: boolean): RawAnswer | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n');
  const status = Number(statusLine.split(' ')[1]);
  if (status === 100) return readAnswer(text.slice(headEnd + 4), isHead);
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colonAt = line.indexOf(':');
      return [line.slice(0, colonAt).toLowerCase(), line.slice(colonAt + 1).trim()];
    }),
  );
  const length = isHead || status === 204 ? 0 : Number(headers['content-length'] ?? 0);
  const rest = text.slice(headEnd + 4);
  if (rest.length < length) return undefined;
  const bytes = Buffer.from(rest.slice(0, length), 'latin1');
  const body = bytes.toString('utf8');
  return {
    status,
    headers,
    body,
    bytes,
    get json() {
      return JSON.parse(body) as unknown;
    },
  };
}
