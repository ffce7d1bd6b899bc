import type { Semaphore } from '@stratalog/concurrency';
import type { UnknownNames } from '@stratalog/domain';
import type { IndexedAnswer } from '@stratalog/indexing';
import type { JsonOutputObject, JsonValue } from '@stratalog/json';
import type { Costs } from './costs';
import type { Turns } from './fields/turns';
import type { EntityLoader } from './entity-loader';
import type { GraphqlDeps } from './graphql-deps';
import type { EntityTypeNames } from './entity-type-names';

/** What the controller gives to a call. */
export interface WireScope {
  /** Urn of the caller. */
  readonly actor: string;
  /** Takes what the call names and no searched type has. */
  readonly unknown: UnknownNames;
  /** Runs a query of the search index at the position that the request names, and tells the position of the answer. */
  readonly searched: (runQuery: () => Promise<IndexedAnswer>) => Promise<JsonOutputObject>;
  /** The same for a query of the graph alone. */
  readonly related: (runQuery: () => Promise<IndexedAnswer>) => Promise<JsonOutputObject>;
  /** The same for a query of both. */
  readonly followed: (runQuery: () => Promise<IndexedAnswer>) => Promise<JsonOutputObject>;
  /** Calls a route that writes, with the rights of the caller. **Errors**: those of the route. */
  readonly write: (target: string, body: JsonOutputObject) => Promise<JsonValue | undefined>;
}

/** What the resolvers of one call share. */
export interface CallScope extends WireScope {
  readonly deps: GraphqlDeps;
  readonly names: EntityTypeNames;
  readonly loader: EntityLoader;
  readonly costs: Costs;
  /** Lets few queries of one text run at a time, so that it leaves connections to other calls. */
  readonly queries: Semaphore;
  readonly turns: Turns;
}
