import { describe, expect, it } from '@jest/globals';
import { ProjectedSeqs } from './projected-seqs';

describe('ProjectedSeqs', () => {
  it('includes the changes of an entity up to the newest state of it', () => {
    const projected = new ProjectedSeqs();
    projected.note(new Map([['a', 5]]));
    projected.note(new Map([['a', 3]]));
    expect([4, 5, 6].map((seq) => projected.includes({ urn: 'a', seq }))).toEqual([true, true, false]);
    expect(projected.includes({ urn: 'b', seq: 1 })).toBe(false);
  });

  it('forgets the entities that were projected longest ago', () => {
    const projected = new ProjectedSeqs();
    for (let n = 0; n < 30_000; n++) {
      projected.note(
        new Map([
          [`urn ${String(n)}`, 1],
          ['often', n + 1],
        ]),
      );
    }
    const isKnown = (urn: string) => projected.includes({ urn, seq: 1 });
    expect(['urn 0', 'urn 5000', 'urn 29999', 'often'].map(isKnown)).toEqual([false, false, true, true]);
  });
});
