import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { SourceWrite } from '../connection/source-write';
import { takeBatch, type WaitingWrite } from './take-batch';

const write = fc.record<SourceWrite>({
  kind: fc.constantFrom('proposal', 'snapshot'),
  urn: fc.constantFrom('a', 'b', 'c', 'd'),
  aspectName: fc.constant(''),
  text: fc.string({ maxLength: 40 }),
  systemMetadata: fc.constant(''),
  mustComeFirst: fc.boolean(),
});

describe('taking batches', () => {
  it('takes everything once, in order by urn, in batches of one kind within their bounds', () => {
    fc.assert(
      fc.property(
        fc.array(write, { maxLength: 40 }),
        fc.record({ writes: fc.integer({ min: 1, max: 6 }), characters: fc.integer({ min: 1, max: 60 }) }),
        (writes, bounds) => {
          const waiting: WaitingWrite[] = writes.map((one) => ({ write: one }));
          const taken: SourceWrite[] = [];
          while (waiting.length > 0) {
            const batch = takeBatch(waiting, bounds).map((item) => item.write);
            expect(batch.length).toBeGreaterThan(0);
            expect(batch.length).toBeLessThanOrEqual(bounds.writes);
            expect(new Set(batch.map(({ kind }) => kind)).size).toBe(1);
            const size = batch.reduce((sum, { text }) => sum + text.length, 0);
            expect(size <= bounds.characters || batch.length === 1).toBe(true);
            batch.forEach(({ urn, mustComeFirst }, at) => {
              if (mustComeFirst) expect(batch.slice(0, at).some((before) => before.urn === urn)).toBe(false);
            });
            taken.push(...batch);
          }
          for (const urn of ['a', 'b', 'c', 'd']) {
            expect(taken.filter((one) => one.urn === urn)).toEqual(writes.filter((one) => one.urn === urn));
          }
        },
      ),
    );
  });
});
