import { describe } from '@jest/globals';
import { incidentsSuite } from './incidents-suite';

describe('incidents', () => {
  incidentsSuite({});
});
