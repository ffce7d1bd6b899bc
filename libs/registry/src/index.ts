export { checkAspectInSteps } from './values/check-aspect';
export { type TimeseriesChange } from './values/check-timeseries-value';
export { checkProposal, checkProposalInSteps, type ProposalCheck } from './proposals/check-proposal';
export { reportUnknownFields } from './check/report-unknown-fields';
export { readUrnRule } from './check/urn-check';
export {
  type DefaultAspect,
  type Neighbour,
  type ValueOf,
  type WantedDefaults,
} from './values/compute-default-aspects';
export { type StoredRule } from './rules/stored-rule';
export { compareValues, type Difference } from './differences/compare-values';
export { requireEntityType, urnOfKeyIn } from './values/require-entity-type';
export {
  type AspectType,
  type EntityRegistry,
  type EntityType,
  type SearchReference,
  type SnapshotType,
} from './model/entity-registry';
export { isReferenceTo } from './model/add-references';
export { compareModels } from './evolution/model-changes';
export { toModelShape, type ModelShape } from './evolution/model-shape';
export { makeExampleUrn, makeExampleValue } from './values/make-example-value';
export { buildJsonSchema } from './values/build-json-schema';
export { loadModel, type ModelOptions } from './model/load-model';
export type { ModelName } from './model/read-model-folder';
export { formatModelLines } from './model/format-model-lines';
export { findEntityType, listRelationshipNames } from './values/find-entity-type';
export { entityNamed, entityTypeNamed, type NamedEntity } from './values/named-entity';
export { type RejectReferences } from './values/reject-references';
export { parseAspectPatch, type AspectPatch } from './patch/patch-aspect';
export {
  dereferenced,
  type EnumSchema,
  type FieldSchema,
  type NamedSchema,
  type RecordSchema,
  type Schema,
} from './schema/schema';
export { collectColumnEdges, columnUrn } from './projection/collect-column-edges';
export { collectEdges } from './projection/collect-edges';
export { declaresEdges, declaresLineage } from './projection/declares-edges';
export { listSearchedTimeseries } from './projection/list-searched-timeseries';
export {
  NUMBER_TYPES,
  TIMESTAMP,
  listStatisticsFields,
  plainKind,
  readDefault,
  type StatisticsField,
} from './projection/timeseries-fields';
export { listTimeseriesSeries } from './projection/timeseries-series';
export { referencesIn, withoutReference } from './projection/without-reference';
export { type RelationshipPath } from './annotations/read-relationship-paths';
export { type SearchPath } from './annotations/search-path';
export { extractSearchValues } from './projection/extract-search-values';
export { boundWeight, computeSearchWeight } from './projection/compute-search-weight';
export { surveyModel, type ModelSurvey } from './model/survey-model';
export { typeText } from './schema/type-text';
export { listExpectedUrns } from './values/list-expected-urns';
export { suggestAspect, suggestEntityType, unknownAspect, unknownEntityType } from './values/unknown-names';
