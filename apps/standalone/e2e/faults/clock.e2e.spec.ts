import { clockStepsSuite } from '../testing/faults/clock-steps';

clockStepsSuite('on PostgreSQL alone', {}, { waitMs: 30_000, isLogOurs: true });
