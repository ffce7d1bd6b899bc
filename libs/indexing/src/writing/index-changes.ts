import {
  partitionOf,
  type ChangeKey,
  type EntryProjection,
  type PartitionSequences,
} from '@stratalog/domain';
import { splitBatch } from '@stratalog/concurrency';
import type { Batch, DerivedIndex } from '@stratalog/ports';
import { indexEntities, type IndexingDeps } from './index-entities';
import type { ProjectedSeqs } from '../projected-seqs';

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
 * Brings the entries of the entities that the first changes of a batch of the change log changed up to date, and moves the checkpoint past
 * them. A timeseries value that an entry includes already costs nothing.
 *
 * **Shape**: the changes that were left, for the next call; `undefined` when there are none.
 *
 * **Errors**: `UnavailableError` when the store or the index is unavailable; then the checkpoint has not moved.
 */
export async function indexChanges<Entry extends { readonly urn: string }>(
  deps: ChangeIndexingDeps<Entry>,
  { index, projected }: ChangedIndex<Entry>,
  batch: Batch<ChangeKey>,
): Promise<Batch<ChangeKey> | undefined> {
  const { affects, references, onReferencedChange } = deps;
  const urns = new Set<string>();
  const referenced = new Set<string>();
  for (const { content } of batch.records) {
    if (content.kind !== 'decoded') continue;
    const isIncluded = content.value.isTimeseriesValue === true && projected.includes(content.value);
    if (!isIncluded && affects(content.value)) urns.add(content.value.urn);
    if (references?.affects(content.value) === true) referenced.add(content.value.urn);
  }
  if (referenced.size > 0) await onReferencedChange?.([...referenced], toPosition(batch));
  const seqs = new Map<string, number>();
  const { partitions } = deps.store.identity;
  const onRead: typeof deps.onRead = (entities, sequences) => {
    for (const { urn } of entities) seqs.set(urn, sequences.get(partitionOf(urn, partitions)) ?? 0);
  };
  const reads = deps.listTimeseriesAspects === undefined ? deps : { ...deps, onRead };
  const left = await indexEntities(reads, index, [...urns], (urnsLeft) =>
    toPosition(urnsLeft.length === 0 ? batch : takeAllBut(urnsLeft, batch).taken),
  );
  projected.note(seqs);
  return left.length === 0 ? undefined : takeAllBut(left, batch).rest;
}

/** Leaves the changes of some entities, and all that follow them in their partition. */
function takeAllBut(
  urns: readonly string[],
  batch: Batch<ChangeKey>,
): ReturnType<typeof splitBatch<ChangeKey>> {
  const left = new Set(urns);
  const cut = new Set<number>();
  return splitBatch(batch, ({ partition, content }) => {
    if (content.kind === 'decoded' && left.has(content.value.urn)) cut.add(partition);
    return cut.has(partition);
  });
}

function toPosition({ ranges }: Batch<ChangeKey>): PartitionSequences {
  return new Map(ranges.map(({ partition, to }) => [partition, to]));
}
