export { applyRetention, type RetentionDeps } from './apply-retention';
export {
  entityTypeIn,
  planTruncation,
  policyFor,
  type RetentionPolicy,
  type RetentionRules,
} from './policy-for';
export { RetentionPolicies, type RetentionPoliciesOptions } from './retention-policies';
export { RetentionSubscription, type RetentionPass } from './retention-subscription';
