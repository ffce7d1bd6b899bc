import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RawRequest } from './catalog/raw-http';
import { WatchedCatalog } from './watched-catalog';

/** The limit for the processor time of one event-loop turn. */
const MAX_TURN_MS = 100;
/** The limit for the increase of the reads' 99th percentile during a large request. */
const MAX_P99_MS = 250;

export type LargeCase = readonly [name: string, status: number, request: () => RawRequest];

/**
 * Sends each request during a steady load of reads, and expects the right answer and no delay for the reads.
 */
export function describeBesideReads(name: string, cases: readonly LargeCase[]): void {
  describe(name, () => {
    let catalog: WatchedCatalog;
    beforeAll(async () => {
      catalog = await WatchedCatalog.start();
    });
    afterAll(() => catalog.end());

    it.each(cases)('%s keeps nobody waiting', async (_name, status, request) => {
      const { answer, turnMs, p99Ms } = await catalog.effectOf(request());
      expect([answer.status, answer.body.slice(0, 300)]).toEqual([status, expect.any(String)]);
      expect(turnMs).toBeLessThan(MAX_TURN_MS);
      expect(p99Ms).toBeLessThan(limitMs(MAX_P99_MS));
    });
  });
}
