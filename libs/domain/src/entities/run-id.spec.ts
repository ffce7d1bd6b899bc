import { describe, expect, it } from '@jest/globals';
import { NO_RUN_ID } from './system-metadata';
import { MAX_RUN_ID_BYTES, runIdFault, runOf } from './run-id';

describe('runIdFault', () => {
  it('accepts any text that an index can store, up to the limit in bytes', () => {
    for (const runId of ['', 'mysql-2026_11_21', 'ä'.repeat(MAX_RUN_ID_BYTES / 2), '\u{1f35e} a\nb']) {
      expect(runIdFault(runId)).toBeUndefined();
    }
    expect(runIdFault('ä'.repeat(MAX_RUN_ID_BYTES / 2) + 'a')).toBe('is longer than 256 bytes of UTF-8');
  });

  it('rejects text that a store would change', () => {
    for (const runId of ['a\u0000b', 'a\ud83c']) expect(runIdFault(runId)).toMatch(/NUL character/);
  });
});

describe('runOf', () => {
  it('returns the run id of a version', () => {
    expect(runOf({ runId: 'r' })).toBe('r');
  });

  it('returns nothing without a run id, or with an invalid one', () => {
    for (const runId of [NO_RUN_ID, '', 'x'.repeat(MAX_RUN_ID_BYTES + 1), 7, null]) {
      expect(runOf({ runId })).toBeUndefined();
    }
    expect(runOf({})).toBeUndefined();
  });
});
