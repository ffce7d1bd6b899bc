import { describe, expect, it, test } from '@jest/globals';
import { describeDryRun, describePlan, hasBothFlags } from './truncation-text';

const REINDEX = 'Reindexing the aspect without the deleted records. ';
const DELETE = 'Issuing a delete by query request. ';

describe('the plan of a truncation', () => {
  it('is the whole line of a dry run', () => {
    expect(describeDryRun({ matching: 0, total: 201 }, {})).toBe(
      'Delete 0 out of 201 rows (0.00%). Issuing a delete by query request. This was a dry run. Run with dryRun = false to execute.',
    );
  });

  it('has no percentage of nothing', () => {
    expect(describePlan({ matching: 0, total: 0 }, {})).toBe(`Delete 0 out of 0 rows (NaN%). ${DELETE}`);
  });

  test.each([
    ['half', 100, 201, {}, DELETE],
    ['more than half', 101, 201, {}, REINDEX],
    ['exactly half', 100, 200, {}, DELETE],
    ['little, forced to reindex', 1, 200, { forceReindex: true }, REINDEX],
    ['most, forced to delete', 199, 200, { forceDeleteByQuery: true }, DELETE],
    ['most, not forced', 199, 200, { forceDeleteByQuery: false }, REINDEX],
    ['little, not forced', 1, 200, { forceReindex: false }, DELETE],
    [
      'most, forced to delete and not to reindex',
      199,
      200,
      { forceDeleteByQuery: true, forceReindex: false },
      DELETE,
    ],
  ])('given %s, then it says how', (_what, matching, total, method, how) => {
    expect(describePlan({ matching, total }, method)).toContain(`%). ${how}`);
  });

  test.each([
    [{}, false],
    [{ forceReindex: true }, false],
    [{ forceDeleteByQuery: true, forceReindex: false }, false],
    [{ forceDeleteByQuery: true, forceReindex: true }, true],
    [{ forceDeleteByQuery: false, forceReindex: false }, true],
  ])('has both set alike for the flags %j: %s', (method, both) => {
    expect(hasBothFlags(method)).toBe(both);
  });
});
