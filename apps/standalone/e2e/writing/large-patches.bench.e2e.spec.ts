import { describe } from '@jest/globals';
import { largePatchesSuite } from './large-patches-suite';

describe('in the log of PostgreSQL,', () => {
  largePatchesSuite({ environment: {}, patches: 60, minOthers: 40, maxWriteMs: 1_000, passesPatches: true });
});
