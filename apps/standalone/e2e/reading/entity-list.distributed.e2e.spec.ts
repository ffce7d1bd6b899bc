import { randomBytes } from 'node:crypto';
import { describe } from '@jest/globals';
import { distributedSettings } from '../testing/catalog/distributed-settings';
import { entityListSuite } from './entity-list-suite';

describe('entities in the form of OpenAPI clients, distributed', () => {
  entityListSuite(distributedSettings(`t${randomBytes(4).toString('hex')}`));
});
