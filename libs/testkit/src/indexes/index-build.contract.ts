import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IndexBuild, fillByUrns } from '@stratalog/indexing';
import type { AspectStore, IndexVersions, SearchIndex } from '@stratalog/ports';
import { datasetUrn } from '../builders';
import { indexVersionsOver, type OpenedIndexVersions } from './index-versions.contract';
import { until } from '../until';

const ENTITIES = 40_000;
const PAGE = 200;
const URNS = Array.from({ length: ENTITIES }, (_, at) => datasetUrn(String(at).padStart(6, '0')));
const CRASHES = [0.001, 0.1, 0.37, 0.8, 0.999];

const STORE = {
  readPartitionSequences: () => Promise.resolve(new Map([[0, 1]])),
  countEntities: () => Promise.resolve([{ entityType: 'dataset', isDeleted: false, count: ENTITIES }]),
  urnsAfter: (after: string | undefined, limit: number) => {
    const from = after === undefined || after === '' ? 0 : URNS.indexOf(after) + 1;
    return Promise.resolve(URNS.slice(from, from + limit));
  },
} as unknown as AspectStore;

/** The build of one index version by several processes. */
export function indexBuildContract(open: () => Promise<OpenedIndexVersions<SearchIndex>>): void {
  describe('the build of an index version', () => {
    let versions: IndexVersions<SearchIndex>;
    let target: SearchIndex;
    /** The first urn of each page that a process has written. */
    let pages: string[];
    let stops: AbortController;

    beforeEach(async () => {
      pages = [];
      stops = new AbortController();
      versions = indexVersionsOver((await open()).versions);
      target = await versions.create({ storeId: 'a'.repeat(32), epoch: 1, mapping: 'built' });
    });
    afterEach(() => {
      stops.abort();
    });

    /** A process that builds; `reaches` is awaited before each of its writes, as if the process stood still. */
    const build = (reaches: (page: number) => Promise<void> = () => Promise.resolve()) => {
      let own = 0;
      const stand = (): Promise<void> => reaches(own);
      const indexBuild = new IndexBuild({
        store: STORE,
        indexes: {
          ...versions,
          readBuild: (index) => versions.readBuild(index),
          state: () => versions.state(),
          sendHeartbeat: async (index, heartbeat) => {
            await stand();
            return versions.sendHeartbeat(index, heartbeat);
          },
        },
        fillIndex: async (index: SearchIndex, options) => {
          await fillByUrns(STORE, index, {
            ...options,
            preparePage: ({ urns: [first = ''] }) =>
              Promise.resolve(async () => {
                await stand();
                pages.push(first);
                own++;
              }),
          });
          return 0;
        },
      });
      return indexBuild.fill(target, { signal: stops.signal, isRequested: false });
    };
    const repeated = (): number => (pages.length - new Set(pages).size) * PAGE;
    const progress = async () => (await versions.readBuild(target))?.progress;

    it('repeats less than a hundredth after its process was lost, at any moment', async () => {
      for (const crash of CRASHES) {
        const before = repeated();
        const last = Math.floor((ENTITIES / PAGE) * crash);
        const lost = new Promise<void>((resolve) => {
          void build(async () => {
            if (new Set(pages).size <= last) return;
            resolve();
            await new Promise<never>(() => undefined);
          });
        });
        await lost;
        // As if the process had been silent for long enough.
        const heartbeats = (await versions.readBuild(target))?.heartbeats ?? 0;
        await versions.sendHeartbeat(target, { after: heartbeats });
        expect(repeated() - before).toBeLessThan(ENTITIES / 100);
      }
      expect(await build()).toEqual({ kind: 'filled', unindexable: 0 });
      expect(new Set(pages).size).toBe(ENTITIES / PAGE);
      expect(repeated()).toBeLessThanOrEqual((CRASHES.length * ENTITIES) / 100);
      expect(await progress()).toEqual({ done: ENTITIES, total: ENTITIES });
    });

    it('is done once by two processes that begin together', async () => {
      const ends = await Promise.all([build(), build()]);
      expect(ends.map(({ kind }) => kind).sort()).toEqual(['filled', 'filled elsewhere']);
      expect(pages).toHaveLength(ENTITIES / PAGE);
      expect(repeated()).toBe(0);
    });

    it('goes over to another process while the first one stands still, which then writes no more than its page', async () => {
      const standing = ENTITIES / PAGE / 2;
      let goOn = (): void => undefined;
      const gate = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      let isStanding = false;
      const paused = build(async (page) => {
        if (page < standing) return;
        isStanding = true;
        await gate;
      });
      await until(() => isStanding);
      expect(await build()).toEqual({ kind: 'filled', unindexable: 0 });
      const done = await progress();
      expect(repeated()).toBeLessThan(ENTITIES / 100);
      const before = pages.length;
      goOn();
      expect(await paused).toEqual({ kind: 'filled elsewhere' });
      expect(pages.length - before).toBeLessThanOrEqual(1);
      expect(await progress()).toEqual(done);
    });
  });
}
