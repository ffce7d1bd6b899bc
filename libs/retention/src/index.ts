export { applyRetention, rejectWithoutClock, type RetentionDeps } from './apply-retention';
export { maxAgeOf, planTruncations, type RetentionPolicy, type RetentionRules } from './plan-truncations';
export { RetentionPolicies, type RetentionPoliciesOptions } from './retention-policies';
export { retentionTask, scheduleRetention, type RetentionPass } from './retention-task';
