export {
  type AspectHistory,
  type CatalogChange,
  type CatalogChangePage,
  type CatalogChangeWindow,
  type ChangePage,
  type ChangePlace,
  type ChangeWindow,
  type ChangesOfDay,
  type CountedWindow,
  type ChangedAspectsQuery,
  type DeletionRef,
  type FollowedChange,
  type PastAspects,
  type PastChange,
  type PastEntity,
  type PastPosition,
  type PastTime,
  type PastVersion,
  type VersionPage,
  type VersionRange,
} from './stores/aspect-history';
export { type LatestAspects, type LatestAspectsQuery } from './stores/latest-aspects';
export {
  AUDIT_OUTCOMES,
  type AuditLog,
  type AuditOutcome,
  type AuditQuery,
  type AuditRecord,
  type AuditedCall,
} from './stores/audit-log';
export { type CallCount, type CallCounts, type CallKind } from './stores/call-counts';
export { type AspectRef } from './stores/aspect-ref';
export {
  type AspectStore,
  type EntityCount,
  type StoreState,
  type EntityPage,
  type LatestValuePage,
  type LoggedOutcome,
  type LoggedProposal,
  type ReadTimeseriesValue,
  type TimeseriesPage,
  type TimeseriesQuery,
  type TimeseriesSort,
  type StoreIdentity,
  type UrnPage,
  type UrnPageRequest,
} from './stores/aspect-store';
export {
  type AppliedReplay,
  type AspectRead,
  type AspectsOfEntities,
  type EntityDeletion,
  type EntityState,
  type LatestAspect,
  type ReferenceLookup,
  type NewChange,
  type NewTimeseriesValue,
  type TimeseriesValueRef,
  type TimeseriesDeletion,
  type TimeseriesRange,
  type Refresh,
  type Rejection,
  type StoredTimeseriesValue,
  type WriteBatch,
  type WriteSet,
  type WriteSnapshot,
} from './stores/write-batch';
export { type ChangeConsumerOptions, type ChangeLog } from './logs/change-log';
export { type ConsumerCheckpoints } from './logs/consumer-checkpoints';
export {
  type ChangeRelayStore,
  type RelayLease,
  type RelayMove,
  type RelayShare,
  type StoredChange,
} from './logs/change-relay-store';
export { type Clock } from './clock';
export {
  type ConsumerProgress,
  type PartitionProgress,
  type Batch,
  type BatchHandler,
  type Subscription,
  type SubscriptionStatus,
  type LogContent,
  type LogRange,
  type LogRecord,
  type Verdict,
} from './logs/consumer';
export { type LogSubscriptions, type SubscribeToChanges } from './logs/log-subscriptions';
export {
  type BuildCheckpoint,
  type BuildHeartbeat,
  type BuildProgress,
  type CheckpointMoves,
  type DerivedIndex,
  ReplacedVersionError,
  type EntryFingerprint,
  type IndexBuildState,
  type IndexVersionsState,
  type IndexVersions,
  type IndexIdentity,
  type VersionedIndex,
} from './indexes/derived-index';
export {
  type EntryRange,
  type EntryRef,
  type TimeseriesIndex,
  type TimeseriesIndexVersions,
  type TimeseriesIndexing,
} from './indexes/timeseries-index';
export {
  type Activation,
  type ActivationOutcome,
  type IndexVersion,
  type IndexVersionStore,
  type RebuildMark,
} from './indexes/index-version-store';
export { type GraphIndex, type GraphIndexVersions } from './indexes/graph-index';
export {
  type InstanceRegistry,
  type InstanceReport,
  type RegisteredInstance,
} from './stores/instance-registry';
export {
  type LogBinding,
  type LogOffset,
  type LogOffsets,
  type LogRestart,
  type NewLogStop,
} from './logs/log-offsets';
export { type LogAdoption, type LogRecovery, type LogPartitionState } from './logs/log-recovery';
export {
  type DeadLetterCount,
  type DeadLetterMark,
  type DeadLetterPage,
  type DeadLetterQuery,
  type DeadLetterRecord,
  type DeadLetterSelection,
  type DeadLetters,
  type MarkedDeadLetter,
  type OpenDeadLetter,
  type WholeDeadLetter,
} from './logs/dead-letters';
export { type LogPosition, type LoggedPosition, type ProposalLog } from './logs/proposal-log';
export { type ProposalTable, type UnloggedProposal } from './logs/proposal-table';
export { type AwaitedPosition, type SubmittingLog } from './logs/submitting-log';
export { type ProposalSubmitter, type SubmitOutcome } from './logs/proposal-submitter';
export {
  type Truncated,
  type Truncation,
  type NumberedAspect,
  type RetentionStore,
} from './stores/retention-store';
export {
  type SoftDeletedBy,
  type RollbackProgress,
  type RunAspect,
  type RunAspectsQuery,
  type RunCounts,
  type RunPage,
  type RunQuery,
  type RunStore,
  type RunSummary,
} from './stores/run-store';
export { type SchemaRegistry } from './logs/schema-registry';
export { type StoreEpoch } from './stores/store-epoch';
export { type SchemaStore, type SchemaText, type SubjectVersion } from './stores/schema-store';
export { type SearchIndex, type SearchIndexVersions } from './indexes/search-index';
export {
  type ClaimedTask,
  type LeaseState,
  type NewTask,
  type StoreTransaction,
  type TaskCount,
  type TaskEnd,
  type TaskLease,
  type TaskQuery,
  type TaskStepRecord,
  type TaskStore,
} from './stores/task-store';
export {
  type ComparedValue,
  type RangeEnd,
  type TimeseriesCriterion,
  type TimeseriesFilter,
  type TimeseriesTest,
} from './stores/timeseries/timeseries-filter';
export {
  TIME_UNITS,
  type TimePeriods,
  type TimeUnit,
  type TimeseriesGroup,
  type TimeseriesMetric,
  type TimeseriesStatistics,
  type TimeseriesStatisticsQuery,
  type TimeseriesStatisticsResult,
  type TopGroups,
  type ValueGroups,
} from './stores/timeseries/timeseries-statistics';
export {
  type DeletedRunPage,
  type RunDeletion,
  type RunDeletionPage,
  type RunTimeseries,
  type RunValuePlace,
  type TimeseriesCount,
  type TimeseriesSeries,
  type MeasuredValues,
  type TimeseriesSize,
  type TimeseriesStorage,
  type TimeseriesTruncation,
  type TimeseriesValuePlace,
  type TruncatedPage,
  type TruncationPage,
} from './stores/timeseries/timeseries-storage';
export {
  type SourceRange,
  type SourceValue,
  type TimeseriesSource,
  type WrittenValue,
  type WrittenValues,
} from './stores/timeseries/timeseries-source';
export { type NamedSubscription, type Need, type NeedChecks, type OpenStage, type Stage } from './stage';
export {
  type NewToken,
  type StoredToken,
  type TokenHash,
  type TokenLookup,
  type TokenPage,
  type TokenRotation,
  type TokenState,
  type TokenStore,
} from './stores/token-store';
export { type StoredModel } from './stores/stored-model';
