import type { EntryProjection } from '@stratalog/domain';
import { BatchSize } from '@stratalog/concurrency';
import type { DerivedIndex, IndexVersions } from '@stratalog/ports';
import { IndexBuild } from '../build/index-build';
import { indexChanges, type ChangeIndexingDeps } from '../writing/index-changes';
import type { IndexContent } from './index-content';
import { countUnindexable, rebuildIndex } from '../writing/index-entities';
import { IndexGuard, type GuardedDeps } from '../index-guard';
import { ProjectedSeqs } from '../projected-seqs';

const MAX_ENTITIES_PER_WRITE = 200;

export interface EntityContentDeps<Entry, Index>
  extends GuardedDeps<Entry>, EntryProjection<Entry>, ChangeIndexingDeps<Entry> {
  readonly indexes: IndexVersions<Index>;
}

/** The content of an index with one entry per entity. */
export function entityContent<Entry extends { readonly urn: string }, Index extends DerivedIndex<Entry>>(
  options: Omit<EntityContentDeps<Entry, Index>, 'writeSize'>,
): IndexContent<Index> {
  const deps = { ...options, writeSize: new BatchSize(MAX_ENTITIES_PER_WRITE) };
  return {
    build: new IndexBuild({
      ...deps,
      fillIndex: (target, options) =>
        countUnindexable(deps, (counting) => rebuildIndex(counting, target, options)),
    }),
    guard: new IndexGuard(deps),
    applyTo: (index) => {
      const projected = new ProjectedSeqs();
      return (batch) => indexChanges(deps, { index, projected }, batch);
    },
  };
}
