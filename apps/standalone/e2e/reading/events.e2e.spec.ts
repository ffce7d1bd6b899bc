import { describe } from '@jest/globals';
import { eventsSuite } from './events-suite';

describe('events by polls', () => {
  eventsSuite({});
});
