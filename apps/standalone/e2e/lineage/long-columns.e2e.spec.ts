import { describe } from '@jest/globals';
import { longColumnsSuite } from './long-columns-suite';

describe('PostgreSQL:', () => {
  longColumnsSuite();
});
