import type {
  AspectHistory,
  AspectStore,
  ChangeLog,
  Clock,
  Subscription,
  GraphIndexVersions,
  InstanceRegistry,
  LogRecord,
  ProposalLog,
  RetentionStore,
  RollbackProgress,
  RunStore,
  SchemaStore,
  SearchIndexVersions,
} from '@stratalog/ports';
import type { AuthMode } from '@stratalog/http';
import type { ProposalEntry } from '@stratalog/model';
import type { EntityRegistry } from '@stratalog/registry';
import type { RetentionPass, RetentionPolicy } from '@stratalog/retention';

/** Everything that a stage may ask for. */
export interface CatalogDeps {
  readonly registry: EntityRegistry;
  readonly clock: Clock;
  readonly store: AspectStore;
  readonly history: AspectHistory;
  readonly histories: RetentionStore;
  readonly runs: RunStore;
  readonly proposals: ProposalLog;
  readonly changes: ChangeLog;
  /** Publishes the store's changes for readers elsewhere; none when the change log is the store's own. */
  readonly relay?: Subscription;
  readonly searchIndexes: SearchIndexVersions;
  readonly graphIndexes: GraphIndexVersions;
  /** The schemas of producers on Kafka; none when a registry outside keeps them. */
  readonly schemas?: SchemaStore;
  /** What the program says of itself. */
  readonly about: { readonly version: string; readonly auth: AuthMode };
  readonly unknownAspects: 'park' | 'drop';
  /** Whether no process has started with another model since this one did. */
  readonly isModelCurrent: () => Promise<boolean>;
  /** Which old values are kept where no policy is stored, and how often it is looked after. */
  readonly retention: {
    readonly fallback: RetentionPolicy;
    readonly everyMs: number;
    readonly onPass: (pass: RetentionPass) => void;
  };
  /** Told how far the rollback of a run is. */
  readonly onRollback: (progress: RollbackProgress) => void;
  readonly commitTimeoutMs: number;
  readonly positionTimeoutMs: number;
  /** Told about a logged proposal that was set aside because applying it failed. */
  readonly onPoison: (record: LogRecord<ProposalEntry>, cause: unknown) => void;
  /** Told about an entity whose search document or edges could not be made or written. */
  readonly onUnindexable: (urn: string, cause: unknown) => void;
  /** How often indices are compared with the store. */
  readonly compareEveryMs: number;
  /** Told what an operator should know of an index. */
  readonly onNotice: (message: string, cause?: unknown) => void;
}

/** Parts together with whatever must be closed after them. */
export interface OpenDeps {
  readonly parts: CatalogDeps;
  /** Where the processes of the catalog register; none when it is one process. */
  readonly instances?: InstanceRegistry;
  /** Calls `listener` when a server that the parts need has ended by itself. */
  readonly onLost: (listener: (reason: string) => void) => void;
  close(): Promise<void>;
}
