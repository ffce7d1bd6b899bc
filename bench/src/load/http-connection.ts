import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  /** Status line and headers. */
  readonly head: string;
  readonly body: string;
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

const END_OF_HEAD = '\r\n\r\n';
/** The header as the catalog writes it; the hot path searches for it instead of parsing every header. */
const LENGTH = '\r\ncontent-length: ';

/**
 * One keep-alive connection with just enough HTTP/1.1 to load a server: a request is one write, and the
 * content length delimits an answer. Node's own client costs several times as much, and the load shares the
 * machine with the catalog.
 *
 * **Errors**: an `Error` when the connection ends with a request under way, or an answer has no content
 * length.
 */
export class HttpConnection {
  private waiting: Waiting | undefined;
  private received = '';
  private ended: Error | undefined;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (text) => {
      this.receive(String(text));
    });
    socket.on('error', (error) => {
      this.fail(error);
    });
    socket.on('close', () => {
      this.fail(new Error('The catalog closed the connection'));
    });
  }

  static open(url: string): Promise<HttpConnection> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new HttpConnection(socket));
      });
    });
  }

  /** Sends one request and waits for its answer; the next may only follow then. ASCII both ways. */
  exchange(request: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.ended !== undefined) {
        reject(this.ended);
        return;
      }
      this.waiting = { resolve, reject };
      this.socket.write(request, 'latin1');
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private receive(text: string): void {
    this.received = this.received === '' ? text : this.received + text;
    const headEnd = this.received.indexOf(END_OF_HEAD);
    if (headEnd < 0) return;
    const lengthAt = this.received.indexOf(LENGTH);
    if (lengthAt < 0 || lengthAt > headEnd) {
      this.fail(new Error(`An answer has no content length: ${this.received.slice(0, headEnd)}`));
      return;
    }
    const length = Number.parseInt(this.received.slice(lengthAt + LENGTH.length, headEnd + 2), 10);
    const bodyAt = headEnd + END_OF_HEAD.length;
    if (this.received.length < bodyAt + length) return;
    const answer = {
      status: Number(this.received.slice(9, 12)),
      head: this.received.slice(0, headEnd),
      body: this.received.slice(bodyAt, bodyAt + length),
    };
    this.received = '';
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.resolve(answer);
  }

  private fail(error: Error): void {
    this.ended ??= error;
    this.waiting?.reject(error);
    this.waiting = undefined;
  }
}

/** Opens connections, passes them to `work` and always closes them. */
export async function withConnections<T>(
  url: string,
  count: number,
  work: (connections: readonly HttpConnection[]) => Promise<T>,
): Promise<T> {
  const connections = await Promise.all(Array.from({ length: count }, () => HttpConnection.open(url)));
  try {
    return await work(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** Returns the answer's body, when it is a 200. */
export function toBody(answer: Answer): string {
  if (answer.status === 200) return answer.body;
  throw new Error(`The catalog answered ${String(answer.status)}: ${answer.body.slice(0, 500)}`);
}

/** Returns the value of a header that the catalog writes in lower case; empty when it is missing. */
export function headerOf(answer: Answer, name: string): string {
  const mark = `\r\n${name}: `;
  const at = answer.head.indexOf(mark);
  if (at < 0) return '';
  const end = answer.head.indexOf('\r\n', at + mark.length);
  return answer.head.slice(at + mark.length, end < 0 ? undefined : end);
}
