import { describe, expect, it } from '@jest/globals';
import { RefusalTally, type Refusal } from './refusals';

const refusal = (entityUrn: string, aspectName: string, reason: string): Refusal => ({
  index: 0,
  entityUrn,
  aspectName,
  status: 422,
  reason,
});

describe('a tally of refusals', () => {
  it('counts the same fault of several entities as one reason, the most frequent first', () => {
    const tally = new RefusalTally();
    tally.add(refusal('urn:li:tag:a', 'ownership', 'owners is missing'));
    tally.add(refusal('urn:li:tag:a', 'status', 'urn:li:tag:a is unknown'));
    tally.add(refusal('urn:li:tag:b', 'status', 'urn:li:tag:b is unknown'));
    expect(tally.total).toBe(3);
    expect(tally.sorted()).toEqual([
      { aspectName: 'status', reason: '<urn> is unknown', count: 2 },
      { aspectName: 'ownership', reason: 'owners is missing', count: 1 },
    ]);
  });

  it('keeps counting when every reason differs', () => {
    const tally = new RefusalTally();
    for (let at = 0; at < 3000; at++) tally.add(refusal('u', 'status', `bad value ${String(at)}`));
    const groups = tally.sorted();
    expect(groups[0]).toEqual({ aspectName: 'status', reason: 'other reasons', count: 2000 });
    expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(3000);
  });
});
