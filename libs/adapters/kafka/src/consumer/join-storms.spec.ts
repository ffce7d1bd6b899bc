import { expect, it } from '@jest/globals';
import { JoinStorms } from './join-storms';

it('detects a storm of more than five joins within a second', () => {
  const storms = new JoinStorms();
  expect([0, 100, 200, 300, 400].map((at) => storms.countJoin(at))).not.toContain(true);
  expect(storms.countJoin(900)).toBe(true);
  // The joins at 0 and 100 have expired; five remain with this one.
  expect(storms.countJoin(1_100)).toBe(false);
  expect(storms.countJoin(1_150)).toBe(true);
  expect(storms.countJoin(9_000)).toBe(false);
});
