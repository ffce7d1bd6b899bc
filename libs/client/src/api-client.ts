import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '@stratalog/json';
import type { Address, AnswerOf, ParametersOf } from './api';
import { CallRejectedError, NoAnswerError, UnexpectedAnswerError, type Exchanged } from './call-errors';
import type { Fetch, FetchedAnswer, FetchOptions } from './fetch';
import { toRequest } from './to-request';

export interface ClientOptions {
  /** The address of the catalog. Empty: the one that the page came from. */
  readonly server: string;
  readonly token?: string;
  /** Sends the calls; the `fetch` of the platform by default. */
  readonly fetch?: Fetch;
}

export interface CallOptions {
  /** `X-Stratalog-Wait-For` and others. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the call when it is aborted. The catalog may carry it out nevertheless. */
  readonly signal?: AbortSignal;
}

export interface Reply<Answer> {
  readonly answer: Answer;
  /** The whole answer as it came. */
  readonly text: string;
  readonly headers: FetchedAnswer['headers'];
}

/** What follows the address of a call; parameters may be left out where none is required. */
export type Given<To extends Address> =
  ParametersOf<To> extends undefined
    ? [parameters?: undefined, options?: CallOptions]
    : Record<string, never> extends ParametersOf<To>
      ? [parameters?: ParametersOf<To>, options?: CallOptions]
      : [parameters: ParametersOf<To>, options?: CallOptions];

const PROTOCOL = { 'X-RestLi-Protocol-Version': '2.0.0' };

/** Calls the catalog. The compiler knows what each call sends and reads from the definition of its route; nothing checks it at run time. */
export class ApiClient {
  private readonly server: string;
  private readonly fetch: Fetch;
  private readonly headers: Readonly<Record<string, string>>;

  constructor({ server, token, fetch = globalThis.fetch.bind(globalThis) }: ClientOptions) {
    this.server = server.replace(/\/+$/, '');
    this.fetch = fetch;
    this.headers = { ...PROTOCOL, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) };
  }

  /**
   * Calls a route by its address: `call('POST /entities?action=search', { entity: 'dataset', input: 'orders', start: 0, count: 10 })`.
   *
   * **Errors**: {@link CallRejectedError} with the catalog's message; {@link NoAnswerError}; {@link UnexpectedAnswerError}; the reason of a
   * signal that is aborted.
   */
  async call<To extends Address>(to: To, ...given: Given<To>): Promise<Reply<AnswerOf<To>>> {
    const { status, headers, text } = await this.exchange(to, given);
    const read = text === '' ? undefined : this.parse(to, text, status);
    const answer = to.includes('?action=') ? read?.value : read;
    return { answer: answer as AnswerOf<To>, text, headers };
  }

  /** Calls a route whose answer is no JSON, such as a picture. **Errors**: those of {@link call}. */
  async text<To extends Address>(to: To, ...given: Given<To>): Promise<string> {
    return (await this.exchange(to, given)).text;
  }

  private async exchange(
    to: string,
    [parameters, options = {}]: readonly [parameters?: object | undefined, options?: CallOptions],
  ): Promise<Exchanged> {
    const { method, target, body } = toRequest(to, parameters);
    const exchanged = await this.send(target, {
      method,
      headers: {
        ...this.headers,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    if (exchanged.status < 400) return exchanged;
    throw new CallRejectedError(readMessage(exchanged), exchanged);
  }

  private async send(target: string, options: FetchOptions): Promise<Exchanged> {
    try {
      const answer = await this.fetch(this.server + target, options);
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    } catch (error) {
      options.signal?.throwIfAborted();
      throw new NoAnswerError(this.server, error);
    }
  }

  /** Every answer is an object; that of an action has one member. An action without a result answers with an empty body. */
  private parse(to: string, text: string, status: number): JsonObject {
    const read = this.parseText(text, status);
    const isExpected = isJsonObject(read) && (!to.includes('?action=') || read.value !== undefined);
    if (isExpected) return read;
    throw new UnexpectedAnswerError(this.server, status);
  }

  private parseText(text: string, status: number): JsonValue {
    try {
      return parseJson(text);
    } catch (error) {
      throw new UnexpectedAnswerError(this.server, status, error);
    }
  }
}

/** A proxy in front of the catalog answers in a form of its own. */
function readMessage({ text, status }: Exchanged): string {
  try {
    const body = parseJson(text);
    if (isJsonObject(body) && typeof body.message === 'string' && body.message !== '') return body.message;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return `HTTP status ${String(status)}`;
}
