import type { EntryProjection } from '@stratalog/model';
import type { DerivedIndex, IndexVersions } from '@stratalog/ports';
import { IndexBuild } from '../build/index-build';
import { indexChanges, type ChangeIndexingDeps } from '../writing/index-changes';
import type { IndexContent } from './index-content';
import { countUnindexable, rebuildIndex } from '../writing/index-entities';
import { IndexGuard, type GuardedDeps } from '../index-guard';
import { ProjectedSeqs } from '../projected-seqs';
import { WriteSize } from '../writing/write-size';

export interface EntityContentDeps<Entry, Index>
  extends GuardedDeps<Entry>, EntryProjection<Entry>, ChangeIndexingDeps<Entry> {
  readonly indexes: IndexVersions<Index>;
}

/** The content of an index with one entry per entity. */
export function entityContent<Entry extends { readonly urn: string }, Index extends DerivedIndex<Entry>>(
  options: EntityContentDeps<Entry, Index>,
): IndexContent<Index> {
  const deps = { ...options, writeSize: new WriteSize() };
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
