import { Agent, request, type IncomingHttpHeaders } from 'node:http';

export type Exchange =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: string;
    }
  /** No server listened: the request was not sent. */
  | { readonly kind: 'unreached' }
  /** The connection broke or the time ran out: whether the request arrived is not known. */
  | { readonly kind: 'lost'; readonly reason: string };

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Above every timeout of the catalog, so that it answers first when it can. */
const LIMIT_MS = 20_000;

/** Sends requests to one catalog over persistent connections; never repeats one. */
export class HttpClient {
  private readonly agent: Agent;

  constructor(
    readonly port: number,
    connections: number,
    private readonly limitMs = LIMIT_MS,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections });
  }

  ask({ method, path, headers = {}, body }: HttpRequest): Promise<Exchange> {
    return new Promise((resolve) => {
      const lost = (error: NodeJS.ErrnoException): void => {
        resolve(
          error.code === 'ECONNREFUSED' ? { kind: 'unreached' } : { kind: 'lost', reason: error.message },
        );
      };
      const outgoing = request(
        {
          host: '127.0.0.1',
          port: this.port,
          method,
          path,
          headers,
          agent: this.agent,
          timeout: this.limitMs,
        },
        (incoming) => {
          let text = '';
          incoming.setEncoding('utf8');
          incoming.on('data', (chunk: string) => (text += chunk));
          incoming.once('error', lost);
          incoming.once('end', () => {
            // A body that was cut off also ends.
            if (!incoming.complete) lost(new Error('the answer was cut off'));
            else {
              const { statusCode = 0, headers: received } = incoming;
              resolve({ kind: 'answered', status: statusCode, headers: received, body: text });
            }
          });
        },
      );
      outgoing.once('error', lost);
      outgoing.once('timeout', () => outgoing.destroy(new Error('no answer in time')));
      outgoing.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
