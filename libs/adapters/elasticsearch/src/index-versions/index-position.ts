import { covers, maxOffsets, parseSequences, type PartitionSequences } from '@stratalog/model';
import { MetaDocument } from '../engine/meta-document';
import type { SearchEngine } from '../engine/search-engine';

interface StoredPosition {
  /** Last `seq` by partition. */
  readonly seqs: Readonly<Record<string, number>>;
}

/**
 * Stores the checkpoint of one index version in a document of its own. It only moves forward, and only after searches
 * see the changes that it covers.
 */
export class IndexPosition {
  private readonly stored: MetaDocument<StoredPosition>;

  constructor(engine: SearchEngine, indexVersion: string) {
    this.stored = new MetaDocument(engine, `position-${indexVersion}`);
  }

  async read(signal?: AbortSignal): Promise<PartitionSequences> {
    return parseSequences((await this.stored.read(signal))?.seqs);
  }

  async moveTo(position: PartitionSequences): Promise<void> {
    if (position.size === 0) return;
    await this.stored.change((stored) => {
      const reached = parseSequences(stored?.seqs);
      if (stored !== undefined && covers(reached, position)) return stored;
      return { seqs: Object.fromEntries(maxOffsets(reached, position)) };
    });
  }

  remove(): Promise<void> {
    return this.stored.remove();
  }
}
