import type { ChangeKey, EntryProjection, PartitionSequences } from '@stratalog/model';
import type { Batch, DerivedIndex } from '@stratalog/ports';
import { indexEntities, type IndexingDeps } from './index-entities';
import type { ProjectedSeqs } from './projected-seqs';

export interface ChangeIndexingDeps<Entry>
  extends IndexingDeps<Entry>, Pick<EntryProjection<Entry>, 'affects' | 'references'> {
  /**
   * Called with changed entities before the checkpoint moves past their changes: entries of other entities, which refer to
   * them, are stale. May be called again for the same changes.
   */
  readonly onReferencedChange?: (urns: readonly string[], position: PartitionSequences) => Promise<void>;
}

export interface ChangedIndex<Entry, Index extends DerivedIndex<Entry> = DerivedIndex<Entry>> {
  readonly index: Index;
  /** The entries of the entities that were projected last, as this index has them. */
  readonly projected: ProjectedSeqs;
}

/**
 * Brings the entries of the entities that a batch of the change log changed up to date, and moves the checkpoint past it. A
 * timeseries value that an entry includes already costs nothing.
 *
 * **Errors**: `UnavailableError` when the store or the index is unavailable; then the checkpoint has not moved.
 */
export async function indexChanges<Entry extends { readonly urn: string }>(
  deps: ChangeIndexingDeps<Entry>,
  { index, projected }: ChangedIndex<Entry>,
  batch: Batch<ChangeKey>,
): Promise<void> {
  const { affects, references, onReferencedChange } = deps;
  const urns = new Set<string>();
  const referenced = new Set<string>();
  for (const { content } of batch.records) {
    if (content.kind !== 'decoded') continue;
    const isIncluded = content.value.isTimeseriesValue === true && projected.includes(content.value);
    if (!isIncluded && affects(content.value)) urns.add(content.value.urn);
    if (references?.affects(content.value) === true) referenced.add(content.value.urn);
  }
  const position = new Map(batch.ranges.map(({ partition, to }) => [partition, to]));
  if (referenced.size > 0) await onReferencedChange?.([...referenced], position);
  const seqs = new Map<string, number>();
  const project: typeof deps.project = (entity, others) => {
    // The values are read after the aspects, so the entry has every value up to the newest that was read.
    const newest = (entity.latestValues ?? []).map(({ seq }) => seq);
    seqs.set(entity.urn, Math.max(entity.seq, ...newest));
    return deps.project(entity, others);
  };
  await indexEntities({ ...deps, project }, index, [...urns], position);
  if (deps.listTimeseriesAspects !== undefined) projected.note(seqs);
}
