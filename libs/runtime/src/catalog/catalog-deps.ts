import type { PostgresStores } from '@stratalog/adapters-postgres';
import type {
  CallCounts,
  ChangeLog,
  Clock,
  Subscription,
  GraphIndexVersions,
  InstanceRegistry,
  LogRecovery,
  NeedChecks,
  ProposalLog,
  ProposalSubmitter,
  Rejection,
  RollbackProgress,
  SchemaStore,
  SearchIndexVersions,
  TimeseriesIndexing,
  TimeseriesStatistics,
} from '@stratalog/ports';
import type { LogWatch } from './log-watch';
import type { AuthMode, IdentityProvider, TokenVerifier, WholeCatalog } from '@stratalog/http';
import type { EntityRegistry } from '@stratalog/registry';
import type { RetentionPass, RetentionPolicy } from '@stratalog/retention';

/** Dependencies that are the same whatever servers a catalog has. */
export interface CommonDeps {
  readonly registry: EntityRegistry;
  readonly clock: Clock;
  /** The times for which ended tasks and audit records are kept, and the receiver of faults in running tasks. */
  readonly taskRuns: {
    readonly keepMs: number;
    readonly auditKeepMs: number;
    readonly onFault: (task: { readonly id: number; readonly kind: string }, cause: unknown) => void;
  };
  /** File of synonyms for searches, in place of the usual ones. */
  readonly synonymsFile?: string;
  /** The version and settings that the program reports about itself. */
  readonly about: { readonly version: string; readonly auth: AuthMode };
  readonly unknownAspects: 'dead-letter' | 'drop';
  /** Handling of values with urns of entities that should exist and do not. */
  readonly urnExistence: 'off' | 'warn' | 'reject';
  /** True when stored policies decide about writes. */
  readonly policyMode: 'off' | 'on';
  /** Tools for AI assistants: whether they may write. */
  readonly mcp: { readonly hasWriteTools: boolean };
  /** How much the use of entities counts in searches, and the interval at which it is measured. */
  readonly popularity: { readonly strength: 'off' | 'weak' | 'strong'; readonly everyMs: number };
  /** Results of metadata tests: on request, or after each change and all again at an interval. */
  readonly testResults: { readonly mode: 'on-request' | 'continuous'; readonly everyMs: number };
  /** The default retention policy, and the interval at which retention runs. */
  readonly retention: {
    readonly fallback: RetentionPolicy;
    readonly everyMs: number;
    readonly onPass: (pass: RetentionPass) => void;
  };
  /** Receives the progress of a rollback. */
  readonly onRollback: (progress: RollbackProgress) => void;
  readonly positionTimeoutMs: number;
  /** Most stored reads of one GraphQL text. */
  readonly graphqlMaxReads: number;
  /** Where other processes serve parts of the catalog; `null`: no setting says it. */
  readonly wholeCatalog?: WholeCatalog | null;
  /** How people sign in in a browser; without it they cannot. */
  readonly signIn?: {
    readonly provider: IdentityProvider;
    readonly sessionMs: number;
    readonly isSecure: boolean;
  };
  /** Receives each record that became a dead letter; the cause of one that could not be applied. */
  readonly onDeadLetter: (rejection: Rejection, cause?: unknown) => void;
  /** Receives each entity whose search document or edges could not be projected or written. */
  readonly onUnindexable: (urn: string, cause: unknown) => void;
  /** The interval at which indices are compared with the store. */
  readonly compareEveryMs: number;
  /** Receives messages about an index that an operator should read. */
  readonly onNotice: (message: string, cause?: unknown) => void;
}

/** Dependencies that every catalog has in PostgreSQL. */
export interface StoreDeps extends PostgresStores {
  /** Verifies the tokens of requests; it forgets those that this process changes. */
  readonly tokenVerifier: TokenVerifier;
  readonly graphIndexes: GraphIndexVersions;
  /** True when the store still has the model of this process: no process has started with another one since. */
  readonly isModelCurrent: () => Promise<boolean>;
}

/** All dependencies that a stage may use. */
export interface CatalogDeps extends CommonDeps, StoreDeps {
  readonly statistics: TimeseriesStatistics;
  readonly proposals: ProposalLog;
  /** The decisions of an operator about a log that moved; none where the log is in the store. */
  readonly logRecovery?: LogRecovery;
  /** Watches whether the log is stopped until an operator decides; none where the log is in the store. */
  readonly logWatch?: LogWatch;
  /** The way of a write to the store; `proposals` is the log behind it. */
  readonly submitter: ProposalSubmitter;
  readonly changes: ChangeLog;
  /** Publishes the store's changes for other readers; none when the change log is the store's own. */
  readonly relay?: Subscription;
  readonly searchIndexes: SearchIndexVersions;
  /** The index of timeseries values and where it reads them; none when statistics come from the store alone. */
  readonly timeseriesIndex?: TimeseriesIndexing;
  /** The schemas of producers on Kafka; none when an external registry keeps them. */
  readonly schemas?: SchemaStore;
}

/** Dependencies together with the resources to close after them. */
export interface OpenDeps {
  readonly deps: CatalogDeps;
  /** The registry of the catalog's processes; none when the catalog is one process. */
  readonly instances?: InstanceRegistry;
  /** The counts of calls that processes share; none when the catalog is one process. */
  readonly callCounts?: CallCounts;
  /** Checks of the servers behind the ports. */
  readonly checks: NeedChecks;
  /** Calls `listener` when a required server has ended by itself. */
  readonly onLost: (listener: (reason: string) => void) => void;
  close(): Promise<void>;
}
