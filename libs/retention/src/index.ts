export { applyRetention, type RetentionPage, type RetentionParts } from './apply-retention';
export { entityTypeIn, erasureOf, policyFor, type RetentionPolicy, type RetentionRules } from './policy-for';
export { RetentionPolicies, type RetentionPoliciesOptions } from './retention-policies';
export { RetentionConsumption, type RetentionPass } from './retention-consumption';
