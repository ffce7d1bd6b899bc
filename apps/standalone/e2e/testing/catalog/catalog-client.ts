import { stringifyJson, type JsonObject, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { exchange, type Answer, type RawRequest } from './raw-http';

export interface SentProposal {
  readonly urn: string;
  readonly aspectName: string;
  /** A text is sent unchanged, any other value as its JSON text. */
  readonly value: JsonOutputObject | string;
  /** Members of the proposal that replace or follow the usual ones. */
  readonly members?: JsonOutputObject;
  /** Parameters next to the proposal. */
  readonly parameters?: JsonOutputObject;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SearchOptions {
  readonly entity?: string;
  readonly start?: number;
  readonly count?: number;
  /** A position that the answer must include. */
  readonly waitFor?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The members of a search's answer that the specs need. */
export interface SearchHits {
  readonly total: number;
  readonly urns: readonly string[];
}

/** The calls of the contract, each as one raw request. */
export class CatalogClient {
  constructor(readonly port: number) {}

  send(request: RawRequest): Promise<Answer> {
    return exchange(this.port, request);
  }

  get(target: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.send({ method: 'GET', target, headers });
  }

  post(target: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.send({ method: 'POST', target, body, headers });
  }

  ingest(sent: SentProposal): Promise<Answer> {
    return this.post('/aspects?action=ingestProposal', toBody(sent), sent.headers);
  }

  /**
   * Writes one aspect and returns its position.
   *
   * **Errors**: rejects when the catalog rejects.
   */
  async write(urn: string, aspectName: string, value: JsonOutputObject): Promise<string> {
    const answer = await this.ingest({ urn, aspectName, value });
    if (answer.status !== 200) throw new Error(`${aspectName} of ${urn}: ${answer.body}`);
    return answer.headers['x-stratalog-position'] ?? '';
  }

  entity(urn: string, query = ''): Promise<Answer> {
    return this.get(`/entitiesV2/${encodeURIComponent(urn)}${query}`);
  }

  aspect(urn: string, name: string, version = 0): Promise<Answer> {
    return this.get(`/aspects/${encodeURIComponent(urn)}?aspect=${name}&version=${String(version)}`);
  }

  search(input: string, options: SearchOptions = {}): Promise<Answer> {
    const { entity = 'dataset', start = 0, count = 10, waitFor, headers = {} } = options;
    return this.post('/entities?action=search', stringifyJson({ input, entity, start, count }), {
      ...headers,
      ...(waitFor === undefined ? {} : { 'X-Stratalog-Wait-For': waitFor }),
    });
  }

  /**
   * Searches and returns the result.
   *
   * **Errors**: rejects when the catalog rejects.
   */
  async find(input: string, options: SearchOptions = {}): Promise<SearchHits> {
    const answer = await this.search(input, options);
    if (answer.status !== 200) throw new Error(`search ${input}: ${answer.body}`);
    const { numEntities, entities } = (answer.json as JsonObject).value as JsonObject;
    return { total: numEntities as number, urns: entities as string[] };
  }

  /** Waits until searches include every write. */
  async caughtUp(): Promise<void> {
    await until(async () => (await this.search('*', { count: 0 })).headers['x-stratalog-lag'] === '0');
  }
}

export function toBody({ urn, aspectName, value, members, parameters }: SentProposal): string {
  const text = typeof value === 'string' ? value : stringifyJson(value);
  return stringifyJson({
    proposal: {
      entityType: urn.split(':')[2] ?? '',
      entityUrn: urn,
      changeType: 'UPSERT',
      aspectName,
      aspect: { value: text, contentType: 'application/json' },
      ...members,
    },
    ...parameters,
  });
}

/** Returns a member deep inside an answer. */
export function at(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (inner, name) => (typeof inner === 'object' && inner !== null ? (inner as JsonObject)[name] : undefined),
    value,
  );
}
