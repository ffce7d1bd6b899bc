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
  ProposalSubmitter,
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

/** All dependencies that a stage may use. */
export interface CatalogDeps {
  readonly registry: EntityRegistry;
  readonly clock: Clock;
  readonly store: AspectStore;
  readonly history: AspectHistory;
  readonly histories: RetentionStore;
  readonly runs: RunStore;
  readonly proposals: ProposalLog;
  /** The way of a write to the store; `proposals` is the log behind it. */
  readonly submitter: ProposalSubmitter;
  readonly changes: ChangeLog;
  /** Publishes the store's changes for other readers; none when the change log is the store's own. */
  readonly relay?: Subscription;
  readonly searchIndexes: SearchIndexVersions;
  readonly graphIndexes: GraphIndexVersions;
  /** The schemas of producers on Kafka; none when an external registry keeps them. */
  readonly schemas?: SchemaStore;
  /** The version and settings that the program reports about itself. */
  readonly about: { readonly version: string; readonly auth: AuthMode };
  readonly unknownAspects: 'dead-letter' | 'drop';
  /** Whether the store still has the model of this process: no process has started with another one since. */
  readonly isModelCurrent: () => Promise<boolean>;
  /** The default retention policy, and the interval at which retention runs. */
  readonly retention: {
    readonly fallback: RetentionPolicy;
    readonly everyMs: number;
    readonly onPass: (pass: RetentionPass) => void;
  };
  /** Receives the progress of a rollback. */
  readonly onRollback: (progress: RollbackProgress) => void;
  readonly positionTimeoutMs: number;
  /** Receives each logged proposal that became a dead letter because applying it failed. */
  readonly onPoison: (record: LogRecord<ProposalEntry>, cause: unknown) => void;
  /** Receives each entity whose search document or edges could not be projected or written. */
  readonly onUnindexable: (urn: string, cause: unknown) => void;
  /** The interval at which indices are compared with the store. */
  readonly compareEveryMs: number;
  /** Receives messages about an index that an operator should read. */
  readonly onNotice: (message: string, cause?: unknown) => void;
}

/** Dependencies together with the resources to close after them. */
export interface OpenDeps {
  readonly parts: CatalogDeps;
  /** The registry of the catalog's processes; none when the catalog is one process. */
  readonly instances?: InstanceRegistry;
  /** Calls `listener` when a required server has ended by itself. */
  readonly onLost: (listener: (reason: string) => void) => void;
  close(): Promise<void>;
}
