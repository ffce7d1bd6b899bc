import { STATUS_CODES, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { readBareRequest, type BareRequest } from './bare-request';
import { endAfterConnectionTrailers } from './connection-trailers';
import { ERROR_HEADERS, errorBody } from '../response/error-answer';
import { PendingAnswers } from './pending-answers';
import { SECURITY_HEADERS } from '../response/security-headers';

export interface InjectedRequest {
  readonly method: BareRequest['method'];
  readonly url: string;
  readonly headers: BareRequest['headers'];
  /** The other end of the connection. */
  readonly remoteAddress: string;
}

export interface InjectedAnswer {
  readonly statusCode: number;
  readonly headers: OutgoingHttpHeaders;
  readonly rawPayload: Buffer;
}

export interface ConnectionErrorOptions {
  readonly vendor: string;
  /** Routes a request that `readBareRequest` parsed like any other. */
  readonly inject: (request: InjectedRequest) => Promise<InjectedAnswer>;
  /** Normalizes the target for the router, before other code parses it as a URL. */
  readonly normalize: (target: string) => string;
}

/** Node's report of bytes that are no request. */
interface ConnectionError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

const LINGER_MS = 1_000;

/** The parser's error codes for a byte beyond ASCII and for a blank in a target. */
const TARGET_ERRORS: ReadonlySet<string | undefined> = new Set(['HPE_INVALID_URL', 'HPE_INVALID_CONSTANT']);

/**
 * Answers bytes that are no valid request, so that even a broken request line gets a JSON error instead of a
 * reset. This answer is the last on its connection and follows those to all earlier requests: a client that
 * pipelines takes the first answer for that to its first request.
 */
export class ConnectionErrors {
  private readonly answered = new WeakSet<Socket>();
  private readonly pending = new PendingAnswers();

  constructor(private readonly options: ConnectionErrorOptions) {}

  /** To be called for each server whose connections are handed over. */
  watch(server: Server): void {
    this.pending.watch(server);
    endAfterConnectionTrailers(server);
  }

  answer(problem: Error, socket: Socket): void {
    const error: ConnectionError = problem;
    // The parser reports every further packet of a broken connection again.
    if (!socket.writable || this.answered.has(socket)) return;
    this.answered.add(socket);
    const { remoteAddress } = socket;
    const hasNoPeer = remoteAddress === undefined || error.code === 'ECONNRESET';
    // Nothing could carry an answer, as after a failed TLS handshake; and a call without an address would count as local.
    if (hasNoPeer || error.code?.startsWith('ERR_SSL_') === true) {
      socket.destroy();
      return;
    }
    const bare = TARGET_ERRORS.has(error.code) ? readBareRequest(error.rawPacket) : undefined;
    if (bare === undefined) this.reject(socket, reasonOf(error));
    else void this.endWith(socket, () => this.answerTo(bare, remoteAddress));
  }

  reject(socket: Socket, reason: Reason): void {
    void this.endWith(socket, () => this.rejection(reason));
  }

  private rejection({ status, message }: Reason): Buffer {
    const body = errorBody({ vendor: this.options.vendor, status, message });
    return toMessage(status, ERROR_FIELDS, Buffer.from(body));
  }

  private async answerTo({ method, target, headers }: BareRequest, remoteAddress: string): Promise<Buffer> {
    try {
      const url = this.options.normalize(target);
      const response = await this.options.inject({ method, url, headers, remoteAddress });
      return toMessage(response.statusCode, fieldsOf(response), response.rawPayload);
    } catch {
      // A target that the injection cannot parse as a URL is malformed.
      return this.rejection(MALFORMED_TARGET);
    }
  }

  /**
   * Closing while the client still sends would reset the connection and lose the answer on its way. Node
   * removes its own listeners from a connection that it hands out, so a later error of the client would end the
   * process.
   */
  private async endWith(socket: Socket, last: () => Buffer | Promise<Buffer>): Promise<void> {
    socket.on('error', () => socket.destroy());
    await this.pending.sent(socket);
    socket.end(await last());
    const linger = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => {
      clearTimeout(linger);
    });
  }
}

interface Reason {
  readonly status: number;
  readonly message: string;
}

const MALFORMED_TARGET: Reason = {
  status: 400,
  message: 'The target of the request is malformed: percent-encode it',
};

const ERROR_FIELDS = [
  'content-type: application/json',
  ...Object.entries({ ...ERROR_HEADERS, ...SECURITY_HEADERS }).map(([name, value]) => `${name}: ${value}`),
  'x-restli-protocol-version: 2.0.0',
];
const OWN_FIELDS = ['connection', 'keep-alive', 'content-length', 'transfer-encoding'];

function fieldsOf({ headers }: InjectedAnswer): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    OWN_FIELDS.includes(name) || value === undefined ? [] : [`${name}: ${String(value)}`],
  );
}

function reasonOf(error: ConnectionError): Reason {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, message: 'The headers of the request are larger than the limit' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, message: 'The request was not complete in time' };
    case 'HPE_INVALID_URL':
      return MALFORMED_TARGET;
    default:
      return { status: 400, message: 'The request is not valid HTTP' };
  }
}

function toMessage(status: number, fields: readonly string[], body: Buffer): Buffer {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...fields,
    `content-length: ${body.length}`,
    'connection: close',
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}
