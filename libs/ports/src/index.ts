export {
  type AspectHistory,
  type ChangePage,
  type ChangeWindow,
  type DeletionRef,
  type PastChange,
  type PastEntity,
  type PastTime,
  type PastVersion,
  type VersionPage,
  type VersionRange,
} from './stores/aspect-history';
export { type AspectRef } from './stores/aspect-ref';
export {
  type AspectRead,
  type AspectStore,
  type EntityCount,
  type EntityDeletion,
  type EntityPage,
  type EntityState,
  type LatestAspect,
  type LoggedOutcome,
  type LoggedProposal,
  type ReferenceLookup,
  type NewChange,
  type NewTimeseriesValue,
  type TimeseriesPage,
  type TimeseriesQuery,
  type TimeseriesValueRef,
  type TimeseriesDeletion,
  type TimeseriesRange,
  type Refresh,
  type Rejection,
  type StoreIdentity,
  type StoredTimeseriesValue,
  type UrnPage,
  type UrnPageRequest,
  type WriteBatch,
  type WriteSet,
  type WriteSnapshot,
} from './stores/aspect-store';
export { actFor, actForProcess, currentCaller, withinLimits, type Caller } from './work/caller';
export { type ChangeConsumerOptions, type ChangeLog } from './logs/change-log';
export {
  type ChangeRelayStore,
  type RelayLease,
  type RelayMove,
  type RelayShare,
} from './logs/change-relay-store';
export { systemClock, type Clock } from './work/clock';
export { inSlices } from './work/in-slices';
export { pause } from './work/pause';
export { PollLoop } from './work/poll-loop';
export { Semaphore } from './work/semaphore';
export { BatchedPoller } from './work/batched-poller';
export { LogSubmitter, type SubmittingLog } from './work/log-submitter';
export {
  type Batch,
  type BatchHandler,
  type Subscription,
  type SubscriptionStatus,
  type LogContent,
  type LogRange,
  type LogRecord,
  type Verdict,
} from './logs/consumer';
export {
  type BuildProgress,
  type DerivedIndex,
  type EntryFingerprint,
  type IndexVersionsState,
  type IndexVersions,
  type IndexIdentity,
} from './indexes/derived-index';
export { type IndexVersion, type IndexVersionStore } from './indexes/index-version-store';
export { type GraphIndex, type GraphIndexVersions } from './indexes/graph-index';
export {
  type InstanceRegistry,
  type InstanceReport,
  type RegisteredInstance,
} from './stores/instance-registry';
export { type LogBinding, type LogOffset, type LogOffsets } from './logs/log-offsets';
export { type DeadLetterPosition, type DeadLetter, type DeadLetters } from './logs/dead-letters';
export { type LogPosition, type ProposalLog } from './logs/proposal-log';
export { type ProposalSubmitter, type SubmitOutcome } from './logs/proposal-submitter';
export {
  type Truncated,
  type Truncation,
  type NumberedAspect,
  type RetentionStore,
  type RetentionTurn,
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
export { type SchemaStore, type SchemaText, type SubjectVersion } from './stores/schema-store';
export { type SearchIndex, type SearchIndexVersions } from './indexes/search-index';
export { type NamedSubscription, type OpenStage, type Stage } from './work/stage';
export { type StoredModel } from './stores/stored-model';
