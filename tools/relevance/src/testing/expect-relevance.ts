import { expect, it } from '@jest/globals';
import { DEFAULT_SEED, DEFAULT_SIZE } from '../relevance-arguments';
import { findLosses, readBaseline, type Engine } from '../report/baseline';
import { measureRelevance } from '../run/measure-relevance';
import type { ServerUrls } from '../run/search-deps';

/** Declares the suite of one engine: no kind of query may rank clearly worse than the baseline says. */
export function expectRelevance(engine: Engine, serverUrls: () => ServerUrls): void {
  it(
    `searches on ${engine} rank no kind of query worse than the baseline`,
    async () => {
      const baseline = readBaseline()[String(DEFAULT_SIZE)]?.[engine];
      if (baseline === undefined) throw new Error(`baseline.json has no figures of ${engine}`);
      const { summary } = await measureRelevance(serverUrls(), { seed: DEFAULT_SEED, size: DEFAULT_SIZE });
      const losses = findLosses(baseline, summary);
      const remedy = `Where that is intended: npm run relevance -- --engine ${engine} --write-baseline`;
      expect({ losses, ...(losses.length === 0 ? {} : { remedy }) }).toEqual({ losses: [] });
    },
    limitMs(150_000),
  );
}
