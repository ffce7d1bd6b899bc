import { covers, maxOffsets, type PartitionSequences } from '@stratalog/model';
import { MetaDocument } from '../engine/meta-document';
import type { SearchEngine } from '../engine/search-engine';

interface StoredPosition {
  /** By partition. */
  readonly seqs: Readonly<Record<string, number>>;
}

/** How far one generation is: a document of its own, moved forward only, after what it promises can be found. */
export class IndexPosition {
  private readonly stored: MetaDocument<StoredPosition>;

  constructor(engine: SearchEngine, indexVersion: string) {
    this.stored = new MetaDocument(engine, `position-${indexVersion}`);
  }

  async read(signal?: AbortSignal): Promise<PartitionSequences> {
    return offsetsOf(await this.stored.read(signal));
  }

  async moveTo(position: PartitionSequences): Promise<void> {
    if (position.size === 0) return;
    await this.stored.change((stored) => {
      const reached = offsetsOf(stored);
      if (stored !== undefined && covers(reached, position)) return stored;
      return { seqs: Object.fromEntries(maxOffsets(reached, position)) };
    });
  }

  remove(): Promise<void> {
    return this.stored.remove();
  }
}

function offsetsOf(stored: StoredPosition | undefined): PartitionSequences {
  return new Map(Object.entries(stored?.seqs ?? {}).map(([partition, seq]) => [Number(partition), seq]));
}
