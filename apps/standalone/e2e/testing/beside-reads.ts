import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RawRequest } from './catalog/raw-http';
import { WatchedCatalog } from './watched-catalog';

/** What one turn of the event loop may take of the processor. */
const MAX_TURN_MS = 100;
/** What 99 of 100 reads may take beside a large request, besides what they take without it. */
const MAX_P99_MS = 250;

export type LargeCase = readonly [name: string, status: number, request: () => RawRequest];

/** Sends each request beside reads, and expects that it is answered as it should be and keeps nobody waiting. */
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
