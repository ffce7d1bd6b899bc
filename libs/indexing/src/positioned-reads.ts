import type { PartitionSequences, Position } from '@stratalog/model';
import type { AspectStore } from '@stratalog/ports';
import { awaitPosition } from './await-position';
import { CheckpointPoller, type PolledIndexes } from './checkpoint-poller';

export interface PositionedReadsDeps {
  readonly store: AspectStore;
  readonly indexes: PolledIndexes;
  /** Name of the index in messages: `search index`. */
  readonly indexName: string;
  /** Longest wait of a query for the position that its header requests. */
  readonly positionTimeoutMs: number;
}

interface IndexedAnswer<Body> {
  readonly body: Body;
  /** The position that the answer reflects. */
  readonly position: PartitionSequences;
  /** Number of changes in the store that the answer does not reflect. */
  readonly lag: number;
}

/** Answers queries from an index that includes the position of the client's last write. */
export class PositionedReads {
  private readonly poller: CheckpointPoller;

  constructor(private readonly deps: PositionedReadsDeps) {
    this.poller = new CheckpointPoller(deps.indexName, deps.indexes);
  }

  /**
   * Runs `query` once the index includes `wanted`, and adds the store to the position of its answer.
   *
   * **Errors**: those of `awaitPosition`.
   */
  async answer<Body>(
    wanted: Position | undefined,
    query: () => Promise<IndexedAnswer<Body>>,
  ): Promise<IndexedAnswer<Body> & { readonly at: Position }> {
    const { store, positionTimeoutMs } = this.deps;
    if (wanted !== undefined) await awaitPosition({ store, poller: this.poller }, wanted, positionTimeoutMs);
    const answer = await query();
    const { storeId, epoch } = store.identity;
    return { ...answer, at: { storeId, epoch, seqs: answer.position } };
  }
}
