import { StratalogError, distance, type ChangeKey, type PartitionSequences } from '@stratalog/domain';
import type {
  AspectStore,
  Batch,
  ConsumerCheckpoints,
  ConsumerProgress,
  LogSubscriptions,
  NamedSubscription,
  Verdict,
} from '@stratalog/ports';

export interface ConsumerDeps {
  readonly store: Pick<AspectStore, 'readPartitionSequences'>;
  readonly checkpoints: ConsumerCheckpoints;
}

const MAX_CHANGES = 500;
/** A consumer that is further behind looks at everything, instead of following every change. */
const MAX_BEHIND = 200_000;

/** A consumer of the change log that keeps no derived data: what a change calls for is a task, or is done before its checkpoint. */
export abstract class ChangeConsumer {
  constructor(
    /** Name of the consumer in logs and metrics, and of its checkpoints. */
    private readonly name: string,
    private readonly kept: ConsumerDeps,
  ) {}

  /** Returns the consumer whose batches {@link handle} takes. */
  consumer(subscriptions: LogSubscriptions): NamedSubscription {
    const { name } = this;
    const options = { name, after: () => this.begin(), maxRecords: MAX_CHANGES };
    return {
      name,
      subscription: subscriptions.toChanges(name)(options),
      progress: () => this.readProgress(),
    };
  }

  /** Moves the checkpoint past a batch once everything is done, or requested, that its changes call for. */
  async handle({ records, ranges }: Batch<ChangeKey>): Promise<Verdict<void>> {
    const position = new Map(ranges.map(({ partition, to }) => [partition, to]));
    const changes = records.flatMap(({ content }) => (content.kind === 'decoded' ? [content.value] : []));
    try {
      await this.follow(changes, position);
      await this.kept.checkpoints.save(this.name, position);
      return { kind: 'done', results: [] };
    } catch (error) {
      if (error instanceof StratalogError && error.retryable) return { kind: 'retry', cause: error };
      throw error;
    }
  }

  protected abstract follow(changes: readonly ChangeKey[], position: PartitionSequences): Promise<void>;

  /** Requests what all changes up to `sequences` call for. */
  protected abstract lookAtEverything(sequences: PartitionSequences): Promise<void>;

  /**
   * Returns where to read on. At the first start, and after a long time without a reader, it looks at everything, and reads what comes
   * from now on.
   */
  private async begin(): Promise<PartitionSequences> {
    const { checkpoints, store } = this.kept;
    const sequences = await store.readPartitionSequences();
    const stored = await checkpoints.read(this.name);
    const isNew = [...sequences.keys()].some((partition) => !stored.has(partition));
    if (!isNew && distance(stored, sequences) <= MAX_BEHIND) return stored;
    await this.lookAtEverything(sequences);
    await checkpoints.save(this.name, sequences);
    return sequences;
  }

  private async readProgress(): Promise<ConsumerProgress> {
    const { checkpoints, store } = this.kept;
    const reached = await checkpoints.read(this.name);
    const sequences = await store.readPartitionSequences();
    return new Map(
      [...sequences].map(([partition, endOffset]) => [
        partition,
        { committedOffset: reached.get(partition) ?? endOffset, endOffset },
      ]),
    );
  }
}
