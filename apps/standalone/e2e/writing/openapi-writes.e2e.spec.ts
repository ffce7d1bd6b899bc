import { describe } from '@jest/globals';
import { openApiWritesSuite } from './openapi-writes-suite';

describe('writes of OpenAPI clients', () => {
  openApiWritesSuite({});
});
