import type { Clock } from '@stratalog/ports';
import type { ReadDeps } from '../entities/view-entities';
import type { LineageSearchDeps } from '../lineage/search-lineage';

/** What the use cases need that resolvers call. */
export interface GraphqlDeps extends ReadDeps, LineageSearchDeps {
  readonly clock: Clock;
  /** Most stored reads of one text. */
  readonly graphqlMaxReads: number;
}
