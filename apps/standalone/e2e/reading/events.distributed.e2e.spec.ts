import { randomBytes } from 'node:crypto';
import { describe } from '@jest/globals';
import { distributedSettings } from '../testing/catalog/distributed-settings';
import { eventsSuite } from './events-suite';

describe('events by polls, distributed', () => {
  eventsSuite(distributedSettings(`t${randomBytes(4).toString('hex')}`));
});
