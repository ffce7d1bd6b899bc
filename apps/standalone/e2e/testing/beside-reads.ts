import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RawRequest } from './catalog/raw-http';
import { WatchedCatalog } from './watched-catalog';

/** The limit for the processor time of one event-loop turn. */
const MAX_TURN_MS = 100;
/** The limit for the increase of the reads' 99th percentile during a request that is larger than any use. */
const MAX_P99_MS = 250;
/**
 * The same during a legal value far beyond those of connectors. The collection of its garbage stops the process for longer than any of its
 * turns, and the slowest 1 % of a second of reads are two.
 */
export const MAX_P99_OF_VALUES_MS = 500;

export type LargeCase = readonly [name: string, status: number, request: () => RawRequest];

/**
 * Sends each request during a steady load of reads, and expects the right answer and no delay for the reads.
 */
export function describeBesideReads(name: string, cases: readonly LargeCase[], maxP99Ms = MAX_P99_MS): void {
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
      expect(p99Ms).toBeLessThan(limitMs(maxP99Ms));
    });
  });
}
