import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import {
  ApiClient,
  type Address,
  type AnswerOf,
  type FetchedAnswer,
  type FetchOptions,
  type Given,
  type Reply,
} from '@stratalog/client';
import { InterruptedError, NoAnswerError, formatAddress } from './call-errors';
import { toCallFailure } from './call-failure';
import type { WriteRequest } from './source-write';

export interface CatalogClientOptions {
  readonly server: URL;
  readonly token?: string;
  /** The number of connections kept open; 1 by default. */
  readonly connections?: number;
  readonly timeoutMs?: number;
  /** Ends calls under way when it is aborted. */
  readonly interrupted?: AbortSignal;
  /** Called with every answer before the caller gets it. */
  readonly onAnswer?: (answer: Answer) => void;
}

/** An answer of any status. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** An ingest waits for the disk, a search for a position; both answer long before this. */
const DEFAULT_TIMEOUT_MS = 60_000;
const PROTOCOL = '2.0.0';

/**
 * Calls the catalog's HTTP interface over persistent connections. Each call returns the answer, whatever its
 * status.
 *
 * **Errors**: {@link NoAnswerError}; {@link InterruptedError}.
 */
export class CatalogClient {
  readonly address: string;
  private readonly api: ApiClient;
  /** Drops the catalog's warnings. */
  private readonly quietApi: ApiClient;
  private readonly agent: HttpAgent;
  private readonly secure: boolean;
  private readonly basePath: string;

  constructor(private readonly options: CatalogClientOptions) {
    const pool = { keepAlive: true, maxSockets: options.connections ?? 1 };
    this.secure = options.server.protocol === 'https:';
    this.agent = this.secure ? new HttpsAgent(pool) : new HttpAgent(pool);
    this.basePath = options.server.pathname.replace(/\/+$/, '');
    this.address = formatAddress(options.server);
    this.api = new ApiClient({ server: '', fetch: (target, sent) => this.fetch(target, sent) });
    this.quietApi = new ApiClient({
      server: '',
      fetch: (target, sent) => this.fetch(target, sent, { isQuiet: true }),
    });
  }

  /**
   * Calls a route by its address.
   *
   * **Errors**: `CallFailure` for a rejection; `CommandFailure` for an answer that is not from a catalog; {@link NoAnswerError};
   * {@link InterruptedError}.
   */
  async call<To extends Address>(to: To, ...given: Given<To>): Promise<Reply<AnswerOf<To>>> {
    return this.failing(this.api.call(to, ...given));
  }

  /** Calls a route as {@link call} does, and drops the warnings: not every type has every aspect. */
  async callQuietly<To extends Address>(to: To, ...given: Given<To>): Promise<Reply<AnswerOf<To>>> {
    return this.failing(this.quietApi.call(to, ...given));
  }

  /** Calls a route whose answer is no JSON. **Errors**: those of {@link call}. */
  async text<To extends Address>(to: To, ...given: Given<To>): Promise<string> {
    return this.failing(this.api.text(to, ...given));
  }

  get hasToken(): boolean {
    return this.options.token !== undefined;
  }

  /** Sends a write whose body is text already. */
  write({ target, body }: WriteRequest): Promise<Answer> {
    return this.send('POST', target, { body });
  }

  /** Closes the connections. */
  close(): void {
    this.agent.destroy();
  }

  private async failing<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      throw toCallFailure(error, this.address);
    }
  }

  private async fetch(
    target: string,
    { method, body, headers }: FetchOptions,
    options: { isQuiet?: true } = {},
  ): Promise<FetchedAnswer> {
    const sent = { headers, ...(body === undefined ? {} : { body }), ...options };
    const { status, text, headers: received } = await this.send(method, target, sent);
    return {
      status,
      headers: { get: (name) => received[name.toLowerCase()]?.toString() ?? null },
      text: () => Promise.resolve(text),
    };
  }

  private send(
    method: string,
    path: string,
    {
      body,
      headers = {},
      isQuiet,
    }: { body?: string; headers?: Readonly<Record<string, string>>; isQuiet?: true } = {},
  ): Promise<Answer> {
    const { server, token, timeoutMs = DEFAULT_TIMEOUT_MS, interrupted, onAnswer } = this.options;
    const bytes = body === undefined ? undefined : Buffer.from(body, 'utf8');
    return new Promise((resolve, reject) => {
      const failed = (error: Error): void => {
        reject(interrupted?.aborted === true ? new InterruptedError() : new NoAnswerError(server, error));
      };
      const request = (this.secure ? httpsRequest : httpRequest)({
        agent: this.agent,
        // A literal IPv6 address stands in brackets in a URL and without them in a socket.
        hostname: server.hostname.replace(/^\[(.*)\]$/, '$1'),
        port: server.port,
        method,
        path: this.basePath + path,
        timeout: timeoutMs,
        ...(interrupted === undefined ? {} : { signal: interrupted }),
        headers: {
          'X-RestLi-Protocol-Version': PROTOCOL,
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
          ...(bytes === undefined
            ? {}
            : { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) }),
          ...headers,
        },
      });
      request.on('response', (response) => {
        readAnswer(
          response,
          (answer) => {
            if (isQuiet !== true) onAnswer?.(answer);
            resolve(answer);
          },
          failed,
        );
      });
      request.on('timeout', () => {
        request.destroy(new Error(`no answer within ${String(timeoutMs / 1000)} s`));
      });
      request.on('error', failed);
      request.end(bytes);
    });
  }
}

function readAnswer(
  response: IncomingMessage,
  resolve: (answer: Answer) => void,
  failed: (error: Error) => void,
): void {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('end', () => {
    const text = Buffer.concat(chunks).toString('utf8');
    resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
  });
  response.on('error', failed);
}
