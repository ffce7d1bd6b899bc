import { describe } from '@jest/globals';
import { entityListSuite } from './entity-list-suite';

describe('entities in the form of OpenAPI clients', () => {
  entityListSuite({});
});
