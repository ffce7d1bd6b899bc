import { clockStepsSuite } from './testing/clock-steps';

clockStepsSuite('on PostgreSQL alone', {}, { waitMs: 30_000, isLogOurs: true });
