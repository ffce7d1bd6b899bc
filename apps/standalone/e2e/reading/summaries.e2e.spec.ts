import { describe } from '@jest/globals';
import { summariesSuite } from './summaries-suite';

describe('summaries', () => {
  summariesSuite({});
});
