export {
  checkAspect,
  checkAspectInSteps,
  type AspectCheck,
  type CanonicalAspect,
} from './values/check-aspect';
export { type TimeseriesChange } from './values/check-timeseries-value';
export { checkProposal, checkProposalInSteps, type ProposalCheck } from './proposals/check-proposal';
export { type Check, type Fault } from './check/check-run';
export { noteUnknownFields } from './check/note-unknown-fields';
export { readUrnRule, type UrnRule } from './check/urn-check';
export { type DefaultAspect, type Neighbour, type ValueOf } from './values/compute-default-aspects';
export { compareValues, type Difference } from './differences/compare-values';
export { requireEntityType, urnOfKeyIn, type EntityResult } from './values/require-entity-type';
export {
  type AspectType,
  type EntityRegistry,
  type EntityType,
  type SnapshotType,
} from './model/entity-registry';
export { compareModels, type ModelChange } from './evolution/model-changes';
export { toModelShape, type ModelShape } from './evolution/model-shape';
export { makeExampleUrn, makeExampleValue } from './values/make-example-value';
export { buildJsonSchema } from './values/build-json-schema';
export { loadModel, type ModelOptions } from './model/load-model';
export { formatModelLines } from './model/format-model-lines';
export { entityNamed, entityTypeNamed, type NamedEntity } from './values/named-entity';
export { type AspectPatch } from './patch/patch-aspect';
export { type PatchStamp } from './patch/patch-templates';
export {
  dereferenced,
  type EnumSchema,
  type FieldSchema,
  type NamedSchema,
  type RecordSchema,
  type Schema,
} from './schema/schema';
export { collectEdges, type EdgeContext } from './projection/collect-edges';
export { referencesIn, withoutReference, type ReferenceRemoval } from './projection/without-reference';
export { type RelationshipPath } from './annotations/read-relationship-paths';
export { type SearchPath } from './annotations/search-path';
export { extractSearchValues, type SearchValues } from './projection/extract-search-values';
export { type SearchScore } from './annotations/search-score';
export { boundWeight, computeSearchWeight } from './projection/compute-search-weight';
export {
  type TimeseriesCollection,
  type TimeseriesField,
  type TimeseriesFields,
} from './annotations/read-timeseries-fields';
export { surveyModel, type ModelSurvey } from './model/survey-model';
export { typeText } from './schema/type-text';
export { nearAspect, nearEntityType, unknownAspect, unknownEntityType } from './values/unknown-names';
