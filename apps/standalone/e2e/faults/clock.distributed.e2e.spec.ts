import { randomBytes } from 'node:crypto';
import { clockStepsSuite } from '../testing/faults/clock-steps';
import { distributedSettings } from '../testing/catalog/distributed-settings';

const name = `t${randomBytes(4).toString('hex')}`;

clockStepsSuite('on Kafka and a search engine', distributedSettings(name), {
  waitMs: 90_000,
  isLogOurs: false,
});
