import type { Client } from '@elastic/elasticsearch';
import type { IndexNames } from './index-names';

/** A connection to a verified engine: it answers, is recent enough and accepts the credentials. */
export interface SearchEngine {
  readonly client: Client;
  readonly names: IndexNames;
  readonly product: 'elasticsearch' | 'opensearch';
  readonly version: string;
  close(): Promise<void>;
}
