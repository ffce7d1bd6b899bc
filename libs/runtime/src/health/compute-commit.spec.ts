import { describe, expect, it } from '@jest/globals';
import { computeCommit } from './compute-commit';

describe('computeCommit', () => {
  it('names the same model and calls alike, as 40 hex digits', () => {
    const commit = computeCommit('model', 'calls');
    expect(commit).toMatch(/^[0-9a-f]{40}$/);
    expect(computeCommit('model', 'calls')).toBe(commit);
  });

  it.each([
    ['another model', 'other', 'calls'],
    ['other calls', 'model', 'other'],
  ])('names %s otherwise', (_what, fingerprint, digest) => {
    expect(computeCommit(fingerprint, digest)).not.toBe(computeCommit('model', 'calls'));
  });
});
