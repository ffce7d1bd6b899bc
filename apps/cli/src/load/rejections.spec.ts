import { describe, expect, it } from '@jest/globals';
import { RejectionTally, type Rejection } from './rejections';

const rejection = (entityUrn: string, aspectName: string, reason: string): Rejection => ({
  index: 0,
  entityUrn,
  aspectName,
  status: 422,
  reason,
});

describe('a tally of rejections', () => {
  it('counts the same fault of several entities as one reason, the most frequent first', () => {
    const tally = new RejectionTally();
    tally.add(rejection('urn:li:tag:a', 'ownership', 'owners is missing'));
    tally.add(rejection('urn:li:tag:a', 'status', 'urn:li:tag:a is unknown'));
    tally.add(rejection('urn:li:tag:b', 'status', 'urn:li:tag:b is unknown'));
    expect(tally.total).toBe(3);
    expect(tally.sorted()).toEqual([
      { aspectName: 'status', reason: '<urn> is unknown', count: 2 },
      { aspectName: 'ownership', reason: 'owners is missing', count: 1 },
    ]);
  });

  it('keeps counting when every reason differs', () => {
    const tally = new RejectionTally();
    for (let at = 0; at < 3000; at++) tally.add(rejection('u', 'status', `bad value ${String(at)}`));
    const groups = tally.sorted();
    expect(groups[0]).toEqual({ aspectName: 'status', reason: 'other reasons', count: 2000 });
    expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(3000);
  });
});
