import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BatchSender } from './batch-sender';
import type { SourceWrite } from '../connection/source-write';

interface Numbered {
  readonly write: SourceWrite;
  readonly at: number;
}

const numbered = (urn: string, at: number): Numbered => ({
  at,
  write: { kind: 'proposal', urn, aspectName: '', text: '{}', systemMetadata: '', mustComeFirst: false },
});

describe('batch lanes', () => {
  it('have no two batches under way that share a urn, keep the order of each urn, and bound the waiting writes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 60 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 4 }),
        async (scheduler, urns, count, size) => {
          const underWay = new Set<string>();
          const arrived: Numbered[] = [];
          let added = 0;
          const lanes = new BatchSender<Numbered>({
            lanes: count,
            bounds: { writes: size, characters: 1000 },
            lingerMs: 0,
            run: async (batch) => {
              const mine = new Set(batch.map(({ write }) => write.urn));
              for (const urn of mine) expect(underWay).not.toContain(urn);
              for (const urn of mine) underWay.add(urn);
              // Two batches of each lane wait, one is under way, and one write is being added.
              expect(added - arrived.length).toBeLessThanOrEqual(3 * count * size + 1);
              await scheduler.schedule(Promise.resolve());
              for (const urn of mine) underWay.delete(urn);
              arrived.push(...batch);
            },
          });
          await scheduler.waitFor(
            (async () => {
              for (const [at, urn] of urns.entries()) {
                added++;
                await lanes.add(numbered(urn, at));
              }
              await lanes.drain();
            })(),
          );
          expect(arrived).toHaveLength(urns.length);
          for (const urn of new Set(urns)) {
            const order = arrived.filter(({ write }) => write.urn === urn).map(({ at }) => at);
            expect(order).toEqual([...order].sort((a, b) => a - b));
          }
        },
      ),
    );
  });

  it('send a partial batch after the linger time', async () => {
    let sent = (): void => undefined;
    const isSent = new Promise<void>((resolve) => {
      sent = resolve;
    });
    const lanes = new BatchSender<Numbered>({
      lanes: 2,
      bounds: { writes: 100, characters: 1000 },
      lingerMs: 1,
      run: () => {
        sent();
        return Promise.resolve();
      },
    });
    await lanes.add(numbered('a', 0));
    await isSent;
  });

  it('pass the error of a batch on and send nothing more', async () => {
    let batches = 0;
    const lanes = new BatchSender<Numbered>({
      lanes: 1,
      bounds: { writes: 1, characters: 1000 },
      lingerMs: 1,
      run: () => {
        batches++;
        return Promise.reject(new Error('broken'));
      },
    });
    await lanes.add(numbered('a', 0));
    await expect(lanes.drain()).rejects.toThrow('broken');
    await lanes.add(numbered('a', 1));
    expect(batches).toBe(1);
  });
});
