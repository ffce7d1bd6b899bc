export {
  checkAspect,
  checkAspectInSteps,
  type AspectCheck,
  type CanonicalAspect,
} from './check/check-aspect';
export { type PointChange } from './check/check-point';
export { checkProposal, checkProposalInSteps, type ProposalCheck } from './check/check-proposal';
export { type Check, type Fault } from './check/check-run';
export { noteUnknownFields } from './check/note-unknown-fields';
export { urnRuleOf, type UrnRule } from './check/urn-check';
export { type DefaultAspect, type Neighbour, type ValueOf } from './default-aspects-of';
export { differencesOf, type Difference } from './differences/differences-of';
export { entityOf, urnOfKeyIn, type EntityResult } from './entity-of';
export { type AspectType, type EntityRegistry, type EntityType, type SnapshotType } from './entity-registry';
export { modelChangesOf, type ModelChange } from './evolution/model-changes';
export { modelShapeOf, type ModelShape } from './evolution/model-shape';
export { exampleUrnOf, exampleValueOf } from './example-value-of';
export { jsonSchemaOf } from './json-schema-of';
export { loadModel, type ModelOptions } from './load-model';
export { modelLinesOf } from './model-lines-of';
export { entityNamed, entityTypeNamed, type NamedEntity } from './named-entity';
export { type AspectPatch } from './patch/patch-aspect';
export { type PatchStamp } from './patch/patch-templates';
export {
  dereferenced,
  type EnumSchema,
  type FieldSchema,
  type NamedSchema,
  type RecordSchema,
  type Schema,
} from './schema';
export { edgesOf, type EdgeContext } from './relationships/edges-of';
export { referencesIn, withoutReference, type ReferenceRemoval } from './relationships/without-reference';
export { type RelationshipPath } from './relationships/relationship-paths-of';
export { type SearchPath } from './search/search-path';
export { searchValuesOf, type SearchValues } from './search/search-values-of';
export { type SearchScore } from './search/search-score';
export { boundedWeight, searchWeightOf } from './search/search-weight';
export {
  type TimeseriesCollection,
  type TimeseriesField,
  type TimeseriesFields,
} from './timeseries/timeseries-fields-of';
export { surveyModel, type ModelSurvey } from './survey-model';
export { typeText } from './type-text';
export { nearAspect, nearEntityType, unknownAspect, unknownEntityType } from './unknown-names';
