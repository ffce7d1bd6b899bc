import { randomBytes } from 'node:crypto';
import { describe } from '@jest/globals';
import { distributedSettings } from '../testing/catalog/distributed-settings';
import { openApiWritesSuite } from './openapi-writes-suite';
import { traceSuite } from './trace-suite';

describe('writes of OpenAPI clients, distributed', () => {
  openApiWritesSuite(distributedSettings(`t${randomBytes(4).toString('hex')}`));
});

describe('what became of writes, distributed', () => {
  traceSuite(distributedSettings(`t${randomBytes(4).toString('hex')}`));
});
