import { createHash } from 'node:crypto';
import type { PartitionSequences } from '@stratalog/domain';
import { Violation } from '../ledger/violation';

/** A change in the store, or in a record of the change topic. */
export interface PublishedChange {
  readonly partition: number;
  readonly seq: number;
  readonly urn: string;
  readonly aspect: string;
  readonly version: number;
  readonly value: string;
}

/**
 * Compares the change topic with the change table. In each partition of the topic the position goes up by
 * one, or jumps back. After a jump some changes come a second time, and readers drop them by their position.
 */
export class PublishedCheck {
  /** The content of each change, partition by partition; that of `seq` 1 comes first. */
  private readonly stored = new Map<number, string[]>();
  private readonly reached = new Map<number, number>();
  private readonly last = new Map<number, number>();
  private repeats = 0;

  /** Takes the changes of the store, in the order of partition and `seq`. */
  store(change: PublishedChange): void {
    const digests = this.stored.get(change.partition) ?? [];
    this.stored.set(change.partition, digests);
    digests.push(computeDigest(change));
  }

  /** Takes the records of the topic, those of a partition in their order. **Errors**: `Violation`. */
  publish(change: PublishedChange): void {
    const { partition, seq } = change;
    const where = `the topic's change ${seq} of partition ${partition}`;
    const last = this.last.get(partition) ?? 0;
    if (seq > last + 1) throw new Violation('published', `${where} follows change ${last}`);
    const digest = this.stored.get(partition)?.[seq - 1];
    if (digest === undefined) throw new Violation('published', `${where} is not in the store`);
    if (digest !== computeDigest(change))
      throw new Violation('published', `${where} differs from the store's`);
    const reached = this.reached.get(partition) ?? 0;
    if (seq <= reached) this.repeats++;
    this.last.set(partition, seq);
    this.reached.set(partition, Math.max(seq, reached));
  }

  /** True when the topic has each change of the store. */
  isComplete(): boolean {
    return [...this.stored].every(([partition, { length }]) => this.reached.get(partition) === length);
  }

  /** The last published sequence of each partition; the number of repeated records. */
  progress(): { readonly reached: PartitionSequences; readonly repeats: number } {
    return { reached: this.reached, repeats: this.repeats };
  }
}

function computeDigest({ urn, aspect, version, value }: PublishedChange): string {
  return createHash('sha1').update(`${urn}\n${aspect}\n${version}\n${value}`).digest('base64');
}
