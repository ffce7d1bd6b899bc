import { describe } from '@jest/globals';
import { structuredPropertiesSuite } from './structured-properties-suite';

describe('structured properties', () => {
  structuredPropertiesSuite({});
});
