import { expect, it } from '@jest/globals';
import { JoinStorms } from './join-storms';

it('more than five joins within a second are a storm, until the second is over', () => {
  const storms = new JoinStorms();
  expect([0, 100, 200, 300, 400].map((at) => storms.joined(at))).not.toContain(true);
  expect(storms.joined(900)).toBe(true);
  // Those at 0 and 100 have passed; five are left with this one.
  expect(storms.joined(1_100)).toBe(false);
  expect(storms.joined(1_150)).toBe(true);
  expect(storms.joined(9_000)).toBe(false);
});
