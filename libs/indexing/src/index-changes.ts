import { partitionOf, type ChangeKey, type EntryProjection, type PartitionSequences } from '@stratalog/model';
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
  const { partitions } = deps.store.identity;
  const onRead: typeof deps.onRead = (entities, sequences) => {
    for (const { urn } of entities) seqs.set(urn, sequences.get(partitionOf(urn, partitions)) ?? 0);
  };
  const reads = deps.listTimeseriesAspects === undefined ? deps : { ...deps, onRead };
  await indexEntities(reads, index, [...urns], position);
  projected.note(seqs);
}
