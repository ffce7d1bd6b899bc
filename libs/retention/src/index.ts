export { applyRetention, type RetentionDeps } from './apply-retention';
export {
  entityTypeIn,
  planTruncation,
  policyFor,
  type RetentionPolicy,
  type RetentionRules,
} from './policy-for';
export { RetentionPolicies, type RetentionPoliciesOptions } from './retention-policies';
export { retentionTask, scheduleRetention, type RetentionPass } from './retention-task';
