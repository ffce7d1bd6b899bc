export {
  type AspectHistory,
  type ChangePage,
  type ChangeWindow,
  type DeletionRef,
  type PastChange,
  type PastEntity,
  type PastMoment,
  type PastVersion,
  type VersionPage,
  type VersionRange,
} from './aspect-history';
export { type AspectRef } from './aspect-ref';
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
  type Look,
  type NewChange,
  type NewPoint,
  type PointPage,
  type PointQuestion,
  type PointRef,
  type PointDeletion,
  type PointSpan,
  type Refresh,
  type Refusal,
  type StoreIdentity,
  type StoredPoint,
  type UrnPage,
  type UrnPageRequest,
  type WriteBatch,
  type WriteSet,
  type WriteSnapshot,
} from './aspect-store';
export { actFor, actForNobody, currentCaller, withinLimits, type Caller } from './caller';
export { type ChangeConsumerOptions, type ChangeLog } from './change-log';
export {
  type ChangeRelayStore,
  type RelayLease,
  type RelayMove,
  type RelayShare,
} from './change-relay-store';
export { systemClock, type Clock } from './clock';
export { inSlices } from './in-slices';
export { pause } from './pause';
export { RoundLoop, type RoundLoopOptions } from './round-loop';
export { Semaphore } from './semaphore';
export { SharedWatch, type SharedWatchOptions } from './shared-watch';
export {
  type Batch,
  type BatchHandler,
  type Consumption,
  type ConsumptionStatus,
  type LogContent,
  type LogRange,
  type LogRecord,
  type Verdict,
} from './consumer';
export {
  type BuildProgress,
  type DerivedIndex,
  type EntryFingerprint,
  type GenerationsState,
  type IndexGenerations,
  type IndexIdentity,
} from './derived-index';
export { type GraphIndex, type GraphIndexes } from './graph-index';
export { type InstanceRegistry, type InstanceReport, type RegisteredInstance } from './instance-registry';
export { type LogBinding, type LogOffset, type LogOffsets, type LogSource } from './log-offsets';
export { type ParkedPosition, type ParkedProposal, type ParkedProposals } from './parked-proposals';
export { type AppendOptions, type Appended, type LogPosition, type ProposalLog } from './proposal-log';
export {
  type Erased,
  type Erasure,
  type NumberedAspect,
  type RetentionStore,
  type RetentionTurn,
} from './retention-store';
export {
  type HiddenBy,
  type RollbackProgress,
  type RunAspect,
  type RunAspectQuestion,
  type RunCounts,
  type RunPage,
  type RunQuestion,
  type RunStore,
  type RunSummary,
} from './run-store';
export { type SchemaRegistry } from './schema-registry';
export { type SchemaStore, type SchemaText, type SubjectVersion } from './schema-store';
export { type SearchIndex, type SearchIndexes } from './search-index';
export { type NamedConsumption, type OpenStage, type Stage } from './stage';
export { type StoredModel } from './stored-model';
