import { covers, type PartitionSequences } from '@stratalog/domain';
import type { AspectStore } from '@stratalog/ports';

/** The verdict of the checkpoint of an index about the servers of store and index. */
export type PositionState =
  | { readonly kind: 'in order' }
  /** The index was put back to an older state: what it got since is missing. */
  | { readonly kind: 'went back' }
  /** The store was put back to an older state: the index has changes that the store lacks. */
  | { readonly kind: 'ahead'; readonly reason: string };

/** Compares the checkpoint of an index with the store, and with what it was before. */
export class PositionCheck {
  private highest: PartitionSequences = new Map();

  constructor(
    private readonly store: Pick<AspectStore, 'readPartitionSequences'>,
    /** Name of the index in messages: `search index`. */
    private readonly indexName: string,
  ) {}

  /** Begins with an index version. */
  begin(): void {
    this.highest = new Map();
  }

  async check(index: { position(): Promise<PartitionSequences> }): Promise<PositionState> {
    // In this order: the store only moves forward, so a checkpoint that was read before lies within it.
    const position = await index.position();
    const seqs = await this.store.readPartitionSequences();
    if (!covers(seqs, position)) return { kind: 'ahead', reason: this.describeAhead(position, seqs) };
    const isOlder = !covers(position, this.highest);
    this.highest = position;
    return { kind: isOlder ? 'went back' : 'in order' };
  }

  private describeAhead(position: PartitionSequences, seqs: PartitionSequences): string {
    const [partition = 0, seq = 0] = [...position].find(([each, own]) => own > (seqs.get(each) ?? 0)) ?? [];
    return (
      `the ${this.indexName} has change ${String(seq)} of partition ${String(partition)}, and the store ends at ` +
      `${String(seqs.get(partition) ?? 0)}: the store was put back to an older state. Run "stratalog store restored"`
    );
  }
}
