export { findPlatform } from './access/find-platform';
export {
  decideAccess,
  dependsOnTouched,
  isPolicyBound,
  isWithinLimits,
  limitsOf,
  type Touched,
} from './access/decide-access';
export {
  CALL_EFFECTS,
  NEEDED_SCOPE,
  SCOPES,
  type CallEffect,
  type AccessLimits,
  type Principal,
  type Scope,
} from './access/principal';
export {
  aspectKey,
  type AspectVersion,
  type AuditStamp,
  type LatestValue,
  type StoredAspect,
  type StoredEntity,
} from './entities/aspect';
export {
  PUBLISHED_TYPES,
  type ChangeKey,
  type ChangeKind,
  type ChangeRecord,
} from './proposals/change-record';
export {
  EDGE_DIRECTIONS,
  type Edge,
  type EdgeDirection,
  type EdgeSet,
  type EdgesPage,
  type EdgesRequest,
  type EntityEdges,
  type RelatedEntities,
  type RelationshipCount,
  type RelatedEntity,
  type RelationshipRequest,
} from './entities/edge';
export {
  LINEAGE_DIRECTIONS,
  LINEAGE_LEVELS,
  parentOfColumn,
  type EdgeOwner,
  type LineageDirection,
  type LineageEdge,
  type LineageEdgesRequest,
  type LineageHop,
  type LineageHopRequest,
  type LineageLevel,
  type LineagePage,
  type LineagePageRequest,
  type LineageScope,
  type LineageStep,
} from './entities/lineage';
export {
  CancelledError,
  FailedTaskError,
  FaultError,
  ForbiddenError,
  InvalidModelError,
  InvalidProposalError,
  InvalidRequestError,
  InvalidSettingError,
  OffsetConflictError,
  ConflictError,
  MismatchedRequestError,
  NotCaughtUpError,
  NotFoundError,
  StratalogError,
  ThrottledError,
  TimeLimitError,
  TooLargeError,
  UnauthenticatedError,
  UnavailableError,
  type ErrorCode,
} from './errors/errors';
export { MAX_MEMBER_FAULTS, type MemberFault } from './proposals/members';
export { didYouMean, editDistance, nearestName } from './errors/near-name';
export { partitionOf } from './entities/partition-of';
export {
  isWithin,
  timeseriesValueId,
  timeRange,
  type TimeseriesValue,
  type TimeseriesIdentity,
  type TimeRange,
} from './entities/timeseries-value';
export { formatTimeRangeHeaders, parseTimeRangeHeaders } from './proposals/time-range-headers';
export {
  covers,
  isOfStore,
  distance,
  formatPosition,
  maxOffsets,
  parsePosition,
  parseSequences,
  type PartitionSequences,
  type Position,
} from './entities/position';
export {
  canonicalPreconditionHeader,
  parsePreconditions,
  whileAlive,
  PRECONDITION_HEADERS,
  type Preconditions,
  type ProposalHeaders,
} from './proposals/preconditions';
export {
  CHANGE_TYPES,
  proposalsIn,
  rejectionAt,
  rewritesStoredValue,
  type AppliedOutcome,
  type ChangeType,
  type Proposal,
  type ProposalBatch,
  type ProposalEntry,
  type WriteOutcome,
} from './proposals/proposal';
export {
  DEAD_LETTER_CAUSES,
  DEAD_LETTER_STATES,
  type DeadLetterCause,
  type DeadLetterState,
} from './proposals/dead-letter';
export {
  asReplay,
  formatDeadLetterId,
  parseDeadLetterId,
  replayIn,
  type DeadLetterPlace,
  type Replay,
} from './proposals/replay';
export {
  PATCH_CONTENT_TYPE,
  PROPOSAL_HEADERS,
  RESTORED_AS,
  RESTORED_VERSION,
  readProposal,
  readSystemMetadata,
  unescapeUrn,
  type ProposalContext,
  type ProposalReading,
  type UrnOfKey,
} from './proposals/read-proposal';
export { runIdFault, runOf } from './entities/run-id';
export {
  type EntryProjection,
  type ReferencedEntities,
  type ReferenceRules,
} from './search/entry-projection';
export {
  type FieldTokens,
  type FieldValue,
  type PlacedToken,
  type SearchDocument,
} from './search/search-document';
export {
  type FieldOrder,
  type FilterKeys,
  type FilterTest,
  type PlaceInOrder,
  type RangeEnd,
  type SearchCriterion,
  type SearchFilter,
} from './search/search-filter';
export {
  BROWSE_SEPARATORS,
  browseFacet,
  browseFilterField,
  isFolderFacet,
  listedAt,
  within,
} from './search/browse-index';
export {
  ENTITY_NAME_FIELD,
  numbersField,
  propertyField,
  propertyFieldName,
  propertyOfField,
  ENTITY_TYPE_FIELD,
  NAME_FIELD,
  SEARCH_FIELD_TYPES,
  URN_SEARCH_FIELD,
  type SearchField,
  type SearchFieldType,
} from './search/search-field';
export {
  type Facet,
  type FacetRequest,
  type QueryNode,
  type ScoreCase,
  type ScoreTerm,
  type ScoreTier,
  type SearchHit,
  type SearchRequest,
  type SearchResult,
} from './search/search-query';
export {
  projectTimeseriesValue,
  withoutFields,
  type EntryFields,
  type TimeseriesEntry,
} from './search/timeseries-entry';
export { timeseriesFieldKey, type TimeseriesField } from './search/timeseries-field';
export { NO_RUN_ID, type SystemMetadata } from './entities/system-metadata';
export { formatCsvLine } from './text/format-csv-line';
export {
  TASK_REQUESTS,
  TASK_STATES,
  computeRate,
  decideRequest,
  findTaskId,
  formatTaskName,
  isEnded,
  parseTaskName,
  type EndedState,
  type Task,
  type TaskLogEntry,
  type TaskProgress,
  type TaskRequest,
  type TaskState,
} from './tasks/task';
export { UnknownNames, type ReportUnknown } from './proposals/unknown-names';
export {
  COLUMN_TYPE,
  MAX_EDGE_URN_LENGTH,
  MAX_SCHEMA_FIELD_URN_BYTES,
  entityTypeIn,
  lengthFault,
  parseUrn,
  type Urn,
} from './entities/urn';
export { urnPatternFault } from './entities/urn-pattern';
