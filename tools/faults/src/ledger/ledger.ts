import type { PartitionSequences } from '@stratalog/domain';
import type { SentAspect } from './sent-value';

/** One sent proposal, with its sender's knowledge about it. Times are those of the test's own clock. */
export interface Send {
  readonly value: number;
  readonly isAsync: boolean;
  readonly sentAtMs: number;
  /** Absent: no answer confirmed that it is durable. It may be stored or not. */
  acknowledged?: { readonly atMs: number; readonly seqs: PartitionSequences | undefined };
}

/** All sends to one aspect, in the order in which they started. */
export interface AspectSends {
  readonly urn: string;
  readonly aspectName: SentAspect;
  /**
   * True: one sender, who waits for each answer before the next send. False: many, each value sent only once.
   */
  readonly inTurn: boolean;
  readonly sends: Send[];
}

export interface NewSend {
  readonly urn: string;
  readonly aspectName: SentAspect;
  readonly inTurn: boolean;
  readonly value: number;
  readonly isAsync: boolean;
}

/** The writers' knowledge, which is compared with the store. */
export class Ledger {
  private readonly byAspect = new Map<string, AspectSends>();
  private lastNumber = 1;
  readonly counts = { sync: 0, async: 0, unacknowledged: 0 };

  /** A number that no value has yet. */
  nextNumber(): number {
    return ++this.lastNumber;
  }

  sending({ urn, aspectName, inTurn, value, isAsync }: NewSend): Send {
    const key = aspectKey(urn, aspectName);
    let aspect = this.byAspect.get(key);
    if (aspect === undefined) {
      aspect = { urn, aspectName, inTurn, sends: [] };
      this.byAspect.set(key, aspect);
    }
    const send: Send = { value, isAsync, sentAtMs: performance.now() };
    aspect.sends.push(send);
    this.counts.unacknowledged++;
    return send;
  }

  /** The send never left: no store may hold it. */
  withdraw(urn: string, aspectName: string, send: Send): void {
    const sends = this.get(urn, aspectName)?.sends ?? [];
    sends.splice(sends.lastIndexOf(send), 1);
    this.counts.unacknowledged--;
  }

  acknowledge(send: Send, seqs: PartitionSequences | undefined): void {
    send.acknowledged = { atMs: performance.now(), seqs };
    this.counts.unacknowledged--;
    this.counts[send.isAsync ? 'async' : 'sync']++;
  }

  aspects(): Iterable<AspectSends> {
    return this.byAspect.values();
  }

  get(urn: string, aspectName: string): AspectSends | undefined {
    return this.byAspect.get(aspectKey(urn, aspectName));
  }

  acknowledged(): number {
    return this.counts.sync + this.counts.async;
  }

  all(): number {
    return this.acknowledged() + this.counts.unacknowledged;
  }
}

/** Neither urns nor aspect names hold a line break. */
export function aspectKey(urn: string, aspectName: string): string {
  return `${urn}\n${aspectName}`;
}
