import { randomBytes } from 'node:crypto';
import { describe } from '@jest/globals';
import { operationsSuite } from './operations-suite';
import { distributedSettings } from '../testing/catalog/distributed-settings';

const name = `t${randomBytes(4).toString('hex')}`;

describe('the calls of operators, distributed', () => {
  operationsSuite(distributedSettings(name));
});
