import { describe } from '@jest/globals';
import { openApiWritesSuite } from './openapi-writes-suite';
import { traceSuite } from './trace-suite';

describe('writes of OpenAPI clients', () => {
  openApiWritesSuite({});
});

describe('what became of writes', () => {
  traceSuite({});
});
