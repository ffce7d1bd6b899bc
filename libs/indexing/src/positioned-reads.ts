import {
  NotCaughtUpError,
  covers,
  type PartitionSequences,
  type Position,
  type JsonOutput,
} from '@stratalog/model';
import { pause, type AspectStore } from '@stratalog/ports';
import { awaitPosition } from './await-position';
import { CheckpointPoller, type PolledIndexes } from './checkpoint-poller';

export interface PositionedReadsDeps {
  readonly store: Pick<AspectStore, 'identity' | 'readPartitionSequences'>;
  readonly indexes: PolledIndexes;
  /** Name of the index in messages: `search index`. */
  readonly indexName: string;
  /** Longest wait of a query for the position that its header requests. */
  readonly positionTimeoutMs: number;
}

/** An answer from an index, with the position of the index. */
export interface IndexedAnswer<Body = JsonOutput> {
  readonly body: Body;
  /** The position that the answer reflects. */
  readonly position: PartitionSequences;
  /** Number of changes in the store that the answer does not reflect. */
  readonly lag: number;
}

/** Delay before a query is asked again that another index has answered. */
const AGAIN_DELAY_MS = 20;
const NEVER = new AbortController().signal;

/** Answers queries from an index that includes the position of the client's last write. */
export class PositionedReads {
  private readonly poller: CheckpointPoller;

  constructor(private readonly deps: PositionedReadsDeps) {
    this.poller = new CheckpointPoller(deps.indexName, deps.indexes, deps.store);
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
    const { store, indexes } = this.deps;
    const answer = wanted === undefined ? await query() : await this.answerAt(wanted, query);
    const { storeId, epoch } = store.identity;
    const live = await indexes.live();
    // A live version of a former epoch answers until its replacement is live; its numbers say nothing about this epoch.
    const seqs = live?.identity.epoch === epoch ? answer.position : new Map<number, number>();
    return { ...answer, at: { storeId, epoch, seqs } };
  }

  /** Asks again when the index that answered was another one than that which had reached the position. */
  private async answerAt<Body>(
    wanted: Position,
    query: () => Promise<IndexedAnswer<Body>>,
  ): Promise<IndexedAnswer<Body>> {
    const { store, indexName, positionTimeoutMs } = this.deps;
    const end = performance.now() + positionTimeoutMs;
    do {
      const leftMs = Math.max(0, Math.ceil(end - performance.now()));
      await awaitPosition({ store, poller: this.poller }, wanted, leftMs);
      const answer = await query();
      if (covers(answer.position, wanted.seqs)) return answer;
      await pause(AGAIN_DELAY_MS, NEVER);
    } while (performance.now() < end);
    throw new NotCaughtUpError(`The ${indexName} was replaced, and is behind the position`);
  }
}
