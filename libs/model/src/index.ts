export {
  aspectKey,
  type AspectVersion,
  type AuditStamp,
  type StoredAspect,
  type StoredEntity,
} from './aspect';
export { type ChangeKey, type ChangeKind, type ChangeRecord } from './change-record';
export {
  EDGE_DIRECTIONS,
  type Edge,
  type EdgeDirection,
  type EdgeSet,
  type EntityEdges,
  type RelatedEntities,
  type RelatedEntity,
  type RelationshipRequest,
} from './edge';
export {
  CancelledError,
  FaultError,
  ForbiddenError,
  InvalidModelError,
  InvalidProposalError,
  InvalidRequestError,
  InvalidSettingError,
  LogMovedError,
  MismatchedRequestError,
  NotCaughtUpError,
  NotFoundError,
  StratalogError,
  ThrottledError,
  TimeLimitError,
  TooLargeError,
  UnauthenticatedError,
  UnavailableError,
  UnknownNamesError,
  type ErrorCode,
} from './errors';
export {
  RawJson,
  isJsonObject,
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonOutput,
  type JsonOutputObject,
  type JsonValue,
} from './json';
export { largePartsIn } from './large-parts-in';
export {
  LARGE_JSON_LENGTH,
  MAX_JSON_VALUES,
  MAX_OBJECT_MEMBERS,
  parseInSteps,
  parseUntrustedInSteps,
  type ParsedJson,
} from './parse-in-steps';
export { MAX_JSON_DEPTH, parseUntrustedJson } from './parse-untrusted-json';
export { allSteps, type Steps } from './steps';
export { MAX_MEMBER_FAULTS, type MemberFault } from './members';
export { didYouMean, nearestName } from './near-name';
export { partitionOf } from './partition-of';
export { isWithin, pointId, timeRange, type Point, type PointIdentity, type TimeRange } from './point';
export { pointRangeHeaders, pointRangeIn } from './point-range';
export {
  covers,
  distance,
  formatPosition,
  maxOffsets,
  parsePosition,
  type PartitionOffsets,
  type Position,
} from './position';
export {
  preconditionsOf,
  type Preconditions,
  type PreconditionsResult,
  type ProposalHeaders,
} from './preconditions';
export {
  CHANGE_TYPES,
  proposalsIn,
  refusalAt,
  type AppliedOutcome,
  type ChangeType,
  type Proposal,
  type ProposalBatch,
  type ProposalEntry,
  type WriteOutcome,
} from './proposal';
export {
  PATCH_CONTENT_TYPE,
  PROPOSAL_HEADERS,
  readProposal,
  readSystemMetadata,
  unescapeUrn,
  type ProposalContext,
  type ProposalReading,
  type SystemMetadataReading,
  type UrnOfKey,
} from './read-proposal';
export { runIdFault, runOf } from './run-id';
export { type FieldTokens, type FieldValue, type PlacedToken, type SearchDocument } from './search-document';
export {
  type FieldOrder,
  type FilterKeys,
  type FilterTest,
  type KeyCondition,
  type PlaceInOrder,
  type RangeEnd,
  type SearchCriterion,
  type SearchFilter,
} from './search-filter';
export { SEARCH_FIELD_TYPES, URN_SEARCH_FIELD, type SearchField, type SearchFieldType } from './search-field';
export {
  needsFilterKeys,
  type Facet,
  type QueryNode,
  type SearchHit,
  type SearchRequest,
  type SearchResult,
} from './search-query';
export { NO_RUN_ID, type SystemMetadata } from './system-metadata';
export { bytesOfJson } from './text-of-bytes';
export { UnknownNames, type NoteUnknown } from './unknown-names';
export { MAX_SCHEMA_FIELD_URN_BYTES, parseUrn, type Urn, type UrnResult } from './urn';
