import { covers, maxOffsets, parseSequences, type PartitionSequences } from '@stratalog/model';
import { MetaDocument } from '../engine/meta-document';
import type { SearchEngine } from '../engine/search-engine';

/** How long a reading of the checkpoint serves searches. */
const RECENT_MS = 100;

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
  /** The highest reading, and the time of the last. It still holds as a lower bound: the checkpoint only moves forward. */
  private known: { readonly position: PartitionSequences; readonly atMs: number } | undefined;

  constructor(
    engine: SearchEngine,
    indexVersion: string,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.stored = new MetaDocument(engine, `position-${indexVersion}`);
  }

  async read(signal?: AbortSignal): Promise<PartitionSequences> {
    const atMs = this.nowMs();
    const position = parseSequences((await this.stored.read(signal))?.seqs);
    return this.remember(position, atMs);
  }

  /** Returns the checkpoint of now, or of a tenth of a second before: a search costs the engine no second call then. */
  async readRecent(signal?: AbortSignal): Promise<PartitionSequences> {
    const { known } = this;
    const isRecent = known !== undefined && this.nowMs() - known.atMs < RECENT_MS;
    return isRecent ? known.position : this.read(signal);
  }

  async moveTo(position: PartitionSequences): Promise<void> {
    if (position.size === 0) return;
    const atMs = this.nowMs();
    const { seqs } = await this.stored.change((stored) => {
      const reached = parseSequences(stored?.seqs);
      if (stored !== undefined && covers(reached, position)) return stored;
      return { seqs: Object.fromEntries(maxOffsets(reached, position)) };
    });
    this.remember(parseSequences(seqs), atMs);
  }

  remove(): Promise<void> {
    this.known = undefined;
    return this.stored.remove();
  }

  /** Returns the highest position that was read. */
  private remember(position: PartitionSequences, atMs: number): PartitionSequences {
    const { known } = this;
    this.known =
      known === undefined
        ? { position, atMs }
        : { position: maxOffsets(known.position, position), atMs: Math.max(known.atMs, atMs) };
    return this.known.position;
  }
}
