import { Client, Transport, type ClientOptions } from '@elastic/elasticsearch';

/**
 * Sends plain JSON content types and takes answers from any product. The client would otherwise ask for a media type that only
 * Elasticsearch knows, and throw answers away that do not carry its name; OpenSearch speaks the same words for all that we ask.
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

/** No request of ours takes so long but in trouble. */
const REQUEST_TIMEOUT_MS = 30_000;

/** A client of Elasticsearch and OpenSearch alike. It repeats nothing by itself: who calls knows what may be repeated. */
export function connectClient({ url, username, password }: ConnectOptions): Client {
  const options: ClientOptions = {
    node: url,
    maxRetries: 0,
    requestTimeout: REQUEST_TIMEOUT_MS,
    Transport: PlainTransport,
  };
  if (username !== undefined && password !== undefined) options.auth = { username, password };
  return new Client(options);
}
