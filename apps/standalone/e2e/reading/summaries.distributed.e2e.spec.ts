import { randomBytes } from 'node:crypto';
import { describe } from '@jest/globals';
import { distributedSettings } from '../testing/catalog/distributed-settings';
import { summariesSuite } from './summaries-suite';

describe('summaries, distributed', () => {
  summariesSuite(distributedSettings(`t${randomBytes(4).toString('hex')}`));
});
