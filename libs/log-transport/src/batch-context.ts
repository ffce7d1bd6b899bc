import { BaseRpcContext } from '@nestjs/microservices';
import type { PartitionSequences } from '@stratalog/domain';
import type { ChangeConsumerOptions, LogRange } from '@stratalog/ports';

type BatchArgs = [consumer: string, ranges: readonly LogRange[]];

/** What a handler knows about a batch beyond its records: its `@Ctx()`. */
export class BatchContext<
  Args extends readonly [...BatchArgs, ...unknown[]] = BatchArgs,
> extends BaseRpcContext<Args> {
  get consumer(): string {
    return this.args[0];
  }

  /** The partitions of the batch, with the offsets that it covers in each. */
  get ranges(): readonly LogRange[] {
    return this.args[1];
  }
}

type ChangeArgs = [...BatchArgs, subscription: ChangeConsumerOptions, start: PartitionSequences];

/** That of a batch of the change log, to which a consumer may subscribe once for each index version. */
export class ChangeContext extends BatchContext<ChangeArgs> {
  /** The options with which the consumer has subscribed. */
  get subscription(): ChangeConsumerOptions {
    return this.args[2];
  }

  /** The checkpoint after which the subscription has started. */
  get start(): PartitionSequences {
    return this.args[3];
  }
}
