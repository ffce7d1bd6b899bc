import type { Client } from '@elastic/elasticsearch';
import type { IndexNames } from './index-names';

/** A connection to an engine that was looked at: it answers, is new enough and lets us in. */
export interface SearchEngine {
  readonly client: Client;
  readonly names: IndexNames;
  readonly product: 'elasticsearch' | 'opensearch';
  readonly version: string;
  close(): Promise<void>;
}
