import {
  InvalidRequestError,
  NotCaughtUpError,
  covers,
  distance,
  isOfStore,
  type PartitionSequences,
  type Position,
} from '@stratalog/domain';
import type { JsonOutput } from '@stratalog/json';
import { BatchedPoller, pause } from '@stratalog/concurrency';
import type { AspectStore, CheckpointMoves, DerivedIndex } from '@stratalog/ports';

export interface PolledIndexes {
  readonly moves: CheckpointMoves;
  live(): Promise<Pick<DerivedIndex<never>, 'position' | 'identity'> | undefined>;
}

export interface PositionedReadsDeps {
  readonly store: Pick<AspectStore, 'identity' | 'readPartitionSequences'>;
  readonly indexes: PolledIndexes;
  /** Name of the index in messages: `search index`. */
  readonly indexName: string;
  /** Longest wait for a position. */
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

/** Delay between two polls; it bounds the wait for an index that another process follows. */
const POLL_DELAY_MS = 20;
const NEVER = new AbortController().signal;

/**
 * Answers queries from an index that includes the position of the client's last write. All waiters share one poll,
 * because a poll costs the index as much as a small query.
 */
export class PositionedReads {
  private reached: PartitionSequences = new Map();
  private readonly poller: BatchedPoller<PartitionSequences, true>;

  constructor(private readonly deps: PositionedReadsDeps) {
    this.poller = new BatchedPoller({
      poll: async (positions) => {
        const reached = await this.readReached();
        this.reached = reached;
        return positions.map((wanted) => (covers(reached, wanted) ? true : undefined));
      },
      delayMs: POLL_DELAY_MS,
      news: deps.indexes.moves,
    });
  }

  /**
   * Runs `query` once the index includes `wanted`, and adds the store to the position of its answer.
   *
   * **Errors**: `InvalidRequestError` when the position belongs to another store or epoch, or is ahead of the store; those of
   * `waitUntil`.
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

  /**
   * Resolves once the index includes `wanted`, which is a position of this store.
   *
   * **Errors**: `NotCaughtUpError` with the lag of the index after the timeout; any error of the index when a poll fails.
   */
  waitUntil(wanted: PartitionSequences): Promise<void> {
    return this.waitFor(wanted, this.deps.positionTimeoutMs);
  }

  /** Asks again when the index that answered was another one than that which had reached the position. */
  private async answerAt<Body>(
    wanted: Position,
    query: () => Promise<IndexedAnswer<Body>>,
  ): Promise<IndexedAnswer<Body>> {
    const { indexName, positionTimeoutMs } = this.deps;
    await this.checkPosition(wanted);
    const end = performance.now() + positionTimeoutMs;
    do {
      await this.waitFor(wanted.seqs, Math.max(0, Math.ceil(end - performance.now())));
      const answer = await query();
      if (covers(answer.position, wanted.seqs)) return answer;
      await pause(POLL_DELAY_MS, NEVER);
    } while (performance.now() < end);
    throw new NotCaughtUpError(`The ${indexName} was replaced, and is behind the position`);
  }

  private async waitFor(wanted: PartitionSequences, leftMs: number): Promise<void> {
    const { indexName, positionTimeoutMs } = this.deps;
    await this.poller.waitFor(wanted, leftMs, () => {
      const behind = String(distance(this.reached, wanted));
      return new NotCaughtUpError(
        `The ${indexName} is ${behind} changes behind the position after ${String(positionTimeoutMs)} ms`,
      );
    });
  }

  private async checkPosition(wanted: Position): Promise<void> {
    const { store } = this.deps;
    if (!isOfStore(wanted, store.identity)) {
      throw new InvalidRequestError('Header X-Stratalog-Wait-For: this position is of another store');
    }
    if (!covers(await store.readPartitionSequences(), wanted.seqs)) {
      throw new InvalidRequestError('Header X-Stratalog-Wait-For: this position lies ahead of the store');
    }
  }

  private async readReached(): Promise<PartitionSequences> {
    const { indexes, store } = this.deps;
    const live = await indexes.live();
    // Numbers of a former epoch say nothing about this one.
    return live?.identity.epoch === store.identity.epoch ? live.position() : new Map();
  }
}
