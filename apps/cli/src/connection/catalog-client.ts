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
import { stringifyJson, type JsonObject } from '@stratalog/model';
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

export interface SearchQuery {
  readonly input: string;
  /** Empty: all types. */
  readonly entities: readonly string[];
  readonly start: number;
  readonly count: number;
}

export interface VersionRange {
  /** The lowest version. */
  readonly from: number;
  /** The highest; 0 is the newest. */
  readonly to: number;
  readonly count: number;
}

export interface TimelineQuery {
  readonly aspects: readonly string[];
  readonly count: number;
  /** **Units**: epoch milliseconds. */
  readonly startTime?: number;
  readonly endTime?: number;
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

  write({ target, body }: WriteRequest): Promise<Answer> {
    return this.send('POST', target, { body });
  }

  entity(urn: string, aspects: readonly string[]): Promise<Answer> {
    const only = aspects.length === 0 ? '' : `?aspects=List(${aspects.map(encoded).join(',')})`;
    return this.send('GET', `/entitiesV2/${encoded(urn)}${only}`);
  }

  /** Reads one aspect at a version; 0 is the latest. */
  aspect(urn: string, aspect: string, version: number): Promise<Answer> {
    return this.send('GET', `/aspects/${encoded(urn)}?aspect=${encoded(aspect)}&version=${String(version)}`);
  }

  /** Reads several entities. The catalog's warnings are dropped: not every type has every aspect. */
  entities(urns: readonly string[], aspects: readonly string[]): Promise<Answer> {
    const list = (texts: readonly string[]): string => `List(${texts.map(encoded).join(',')})`;
    return this.send('GET', `/entitiesV2?ids=${list(urns)}&aspects=${list(aspects)}`, { isQuiet: true });
  }

  /** Searches for nothing, to learn the position of the index; `waitFor` is one that it must have reached before it answers. */
  searchPosition(waitFor?: string): Promise<Answer> {
    const headers = waitFor === undefined ? {} : { 'X-Stratalog-Wait-For': waitFor };
    const query = { entity: 'dataset', input: '*', start: 0, count: 0 };
    return this.send('POST', '/entities?action=search', { body: JSON.stringify(query), headers });
  }

  /** Searches, with near words when nothing else matches. */
  searchAcross({ entities, ...query }: SearchQuery): Promise<Answer> {
    const body = {
      ...query,
      ...(entities.length === 0 ? {} : { entities }),
      searchFlags: { correctSpelling: true },
    };
    return this.send('POST', '/entities?action=searchAcrossEntities', { body: JSON.stringify(body) });
  }

  /** Reads stored versions of one aspect, the newest first. */
  versions(urn: string, aspect: string, { count, from, to }: VersionRange): Promise<Answer> {
    const range = `startVersion=${String(from)}&endVersion=${String(to)}&count=${String(count)}`;
    return this.send('GET', `/aspects/${encoded(urn)}?aspect=${encoded(aspect)}&${range}`);
  }

  /** Reads the changes of an entity, the newest first. */
  timeline(urn: string, { aspects, ...numbers }: TimelineQuery): Promise<Answer> {
    const parameters = Object.entries(numbers).map(([name, value]) => `${name}=${String(value)}`);
    if (aspects.length > 0) parameters.push(`aspects=List(${aspects.map(encoded).join(',')})`);
    return this.send('GET', `/entitiesV2/${encoded(urn)}/timeline?${parameters.join('&')}`);
  }

  /** Calls an action of a resource by its parameters. */
  action(resource: string, name: string, parameters: JsonObject): Promise<Answer> {
    return this.send('POST', `/${resource}?action=${name}`, { body: stringifyJson(parameters) });
  }

  /** Reads a picture of lineage; `format` is the end of its address. */
  picture(urn: string, format: string, query: Readonly<Record<string, string>>): Promise<Answer> {
    return this.send('GET', `/lineage/${encoded(urn)}.${format}?${new URLSearchParams(query).toString()}`);
  }

  /** Compares the lineage of an entity between two times. */
  lineageDiff(urn: string, query: Readonly<Record<string, string>>): Promise<Answer> {
    return this.send('GET', `/lineage/${encoded(urn)}/diff?${new URLSearchParams(query).toString()}`);
  }

  /** Lists the entities that pass or fail a metadata test. */
  testResults(urn: string, query: Readonly<Record<string, string>>): Promise<Answer> {
    return this.send('GET', `/tests/${encoded(urn)}/results?${new URLSearchParams(query).toString()}`);
  }

  task(name: string): Promise<Answer> {
    return this.send('GET', `/operations/tasks/${encoded(name)}`);
  }

  /** Lists tokens, the newest first. */
  tokens(count: number): Promise<Answer> {
    return this.send('GET', `/operations/tokens?count=${String(count)}`);
  }

  /** Lists tasks, the newest first. */
  tasks(query: Readonly<Record<string, string>>): Promise<Answer> {
    return this.send('GET', `/operations/tasks?${new URLSearchParams(query).toString()}`);
  }

  /** Lists recorded calls, the newest first. */
  audit(query: Readonly<Record<string, string>>): Promise<Answer> {
    return this.send('GET', `/operations/audit?${new URLSearchParams(query).toString()}`);
  }

  health(): Promise<Answer> {
    return this.send('GET', '/health');
  }

  /** Asks for reasons and processes; `undefined` without a token, because only operators see them. */
  healthDetails(): Promise<Answer> | undefined {
    return this.options.token === undefined ? undefined : this.send('GET', '/operations/health');
  }

  config(): Promise<Answer> {
    return this.send('GET', '/config');
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

/** Percent-encodes every character that a path or a `List(...)` reserves, parentheses and quotes included. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[()'!*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
