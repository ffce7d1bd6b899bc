import { describe, expect, it } from '@jest/globals';
import { IndexAge } from './index-age';

describe('IndexAge', () => {
  it('is the age of the oldest acknowledged write that the index does not include', () => {
    // given writes in two partitions
    const age = new IndexAge();
    age.acknowledged('0badcafe.1.3:10', 1_000);
    age.acknowledged('0badcafe.1.3:11', 2_000);
    age.acknowledged('0badcafe.1.7:5', 2_500);
    // when the index has only the first
    // then the second is the oldest
    expect(age.ageAt('0badcafe.1.3:10,7:4', 4_000)).toBe(2_000);
    expect(age.ageAt('0badcafe.1.3:11,7:4', 4_000)).toBe(1_500);
    expect(age.ageAt('0badcafe.1.3:12,7:5', 5_000)).toBe(0);
  });

  it('counts everything while the index has nothing', () => {
    const age = new IndexAge();
    age.acknowledged('0badcafe.1.0:1', 100);
    expect(age.ageAt('0badcafe.1.', 150)).toBe(50);
  });

  it('does not count writes that were acknowledged after the search was sent', () => {
    const age = new IndexAge();
    age.acknowledged('0badcafe.1.0:1', 200);
    expect(age.ageAt('0badcafe.1.', 150)).toBe(0);
  });
});
