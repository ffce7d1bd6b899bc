export { compileDefinition, type CompiledDefinition } from './definition/compile-test';
export { TEST_INFO, findTestFaults, readDefinition } from './definition/find-test-faults';
export { type ReadBehind } from './definition/list-reads';
export { DEFINITION_SCHEMA } from './definition/definition-schema';
export { readTestFile } from './definition/read-test-file';
export { MAX_DEFINITION_BYTES, MAX_RANGE_VALUES } from './limits';
export { cut } from './show';
export { type Failure } from './evaluation/explain-failure';
export { evaluateTest, type TestOutcome } from './evaluation/evaluate-test';
export { Facts, factKey, type Fact, type FactRef } from './evaluation/facts';
export {
  ACTION_ASPECTS,
  runIdOfTest,
  type ActionAspect,
  type ActionOperation,
  type AspectState,
} from './definition/actions/action';
export {
  formatPatch,
  type ActingTest,
  type ActionTarget,
  type AspectStates,
  type PlannedPatch,
} from './actions/decide-actions';
export { settleActions, type Outcomes } from './actions/settle-actions';
