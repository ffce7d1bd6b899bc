import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { DocsPages } from './docs-pages';
import { ERROR_HEADERS, toAnswer, errorBody, withoutMiddle } from './error-answer';
import { NOT_FOUND_HEADERS, notFoundPage } from './not-found-page';
import { registryErrorBody } from './registry-dialect';
import { hideSecrets } from '../access/access-token';
import { SECURITY_HEADERS } from './security-headers';
import { sendJson } from './send-json';
import { wantsPage } from './wants-page';
import { PROTOCOL_HEADER, answeredProtocol, type WireReply, type WireRequest } from '../request/wire';

/** The server's record of a fault; the caller gets the reference only. */
export interface FaultReport {
  readonly reference: string;
  readonly method: string;
  /** As the client sent it, without secrets of tokens. */
  readonly target: string;
  readonly cause: unknown;
}

export interface ErrorResponderOptions {
  readonly vendor: string;
  readonly maxBodyBytes: number;
  readonly pages: DocsPages;
  /** The address that clients use. */
  readonly baseUrl: () => string;
  readonly onFault: (report: FaultReport) => void;
}

/** Writes the answer for every error, whichever layer throws it. */
export class ErrorResponder {
  constructor(private readonly options: ErrorResponderOptions) {}

  send(error: unknown, request: WireRequest, reply: WireReply): void {
    if (reply.raw.headersSent) return;
    this.drain(request.raw);
    const answer = toAnswer(error);
    const { status, message, headers } = answer.kind === 'fault' ? this.report(error, request) : answer;
    // Fastify would close the connection while the client still sends, and the answer would be lost.
    void reply.removeHeader('connection').removeHeader('content-type');
    void reply.code(status).headers({
      [PROTOCOL_HEADER]: answeredProtocol(request),
      ...ERROR_HEADERS,
      ...SECURITY_HEADERS,
      ...headers,
    });
    if (status === 401) this.pointToMetadata(request, reply);
    const { vendor, pages } = this.options;
    const docUrl = pages.toPage(request);
    const { dialect } = request.routeOptions.config;
    if (status === 404 && dialect === undefined && wantsPage(request)) {
      void reply.headers(NOT_FOUND_HEADERS).send(notFoundPage({ message: withoutMiddle(message), docUrl }));
      return;
    }
    if (dialect !== 'schema-registry') {
      sendJson(reply, errorBody({ vendor, status, message, docUrl }));
      return;
    }
    // Clients of schema registries reject unknown members, so the link goes into a header.
    if (status < 500) void reply.header('link', `<${docUrl}>; rel="help"`);
    const errorCode = answer.kind === 'fault' ? undefined : answer.errorCode;
    sendJson(reply, registryErrorBody(errorCode ?? status, message));
  }

  /** **Source**: RFC 9728, section 5.1. */
  private pointToMetadata({ routeOptions: { config } }: WireRequest, reply: WireReply): void {
    const { resourceMetadata } = config;
    if (resourceMetadata === undefined) return;
    const url = `${this.options.baseUrl()}/${resourceMetadata}`;
    void reply.header('www-authenticate', `Bearer resource_metadata="${url}"`);
  }

  private report(cause: unknown, request: WireRequest) {
    const reference = randomBytes(6).toString('hex');
    this.options.onFault({
      reference,
      method: request.method,
      target: hideSecrets(request.originalUrl),
      cause,
    });
    return { status: 500, message: `Internal server error (reference ${reference})`, headers: {} };
  }

  /**
   * Lets a client that was rejected early finish sending, up to the size of one body; the bytes are
   * discarded.
   */
  private drain(message: IncomingMessage): void {
    if (message.complete || message.destroyed) return;
    let left = this.options.maxBodyBytes;
    message.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) message.destroy();
    });
  }
}
