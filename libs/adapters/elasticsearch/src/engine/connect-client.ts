import { measureCalls } from './measure-calls';
import { Client, Transport, type ClientOptions } from '@elastic/elasticsearch';

/**
 * Sends plain JSON content types and accepts answers of any product. The client would otherwise request a media type
 * that only Elasticsearch knows, and reject answers of other products. OpenSearch has the same interface for all used
 * requests.
 */
class PlainTransport extends Transport {
  constructor(options: ConstructorParameters<typeof Transport>[0]) {
    const plain = { ...options };
    delete plain.productCheck;
    delete plain.vendoredHeaders;
    super(plain);
  }
}

export interface ConnectOptions {
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

/** Timeout of a request; only a failing engine takes this long. */
const REQUEST_TIMEOUT_MS = 30_000;

/**
 * Connects to Elasticsearch or OpenSearch. The client does not retry by itself, because only the caller knows which
 * requests may be repeated.
 */
export function connectClient({ url, username, password }: ConnectOptions): Client {
  const options: ClientOptions = {
    node: url,
    maxRetries: 0,
    requestTimeout: REQUEST_TIMEOUT_MS,
    Transport: PlainTransport,
  };
  if (username !== undefined && password !== undefined) options.auth = { username, password };
  const client = new Client(options);
  measureCalls(client);
  return client;
}
