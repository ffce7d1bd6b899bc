import { randomBytes } from 'node:crypto';
import { describe } from '@jest/globals';
import { distributedSettings } from '../testing/catalog/distributed-settings';
import { suspendedUsersSuite } from './suspended-users-suite';

describe('distributed,', () => {
  suspendedUsersSuite(distributedSettings(`t${randomBytes(4).toString('hex')}`));
});
