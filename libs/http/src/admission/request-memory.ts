import { CancelledError, TooLargeError, UnavailableError } from '@stratalog/domain';
import { QUERY_PRICES, computeTextCost } from './heap-cost';
import type { MemoryBudget } from './memory-budget';
import type { MemoryShare } from './memory-share';

/** A request with its headers, its answer and the records of the server about it. **Units**: bytes of heap. */
const REQUEST_COST = 8 * 1024;
/** Values up to this cost have a share of their own, so that small writes do not wait for large ones. */
const SMALL_COST = 512 * 1024;

const MB = 1024 * 1024;
const inMb = (bytes: number): string => `${String(Math.ceil(bytes / MB))} MB`;

/**
 * The memory that one request takes: its head, then its body as it arrives, then the values that its body is parsed to.
 * Each part is given back as soon as nothing holds it.
 */
export class RequestMemory {
  private headCost = 0;
  private bodyBytes = 0;
  private values: { readonly share: MemoryShare; readonly cost: number } | undefined;
  private readonly closing = new AbortController();
  /** Until its answer, the work for a request goes on, whether or not its connection lasts. */
  private isAnswered = false;

  constructor(private readonly budget: MemoryBudget) {}

  /** **Errors**: `UnavailableError` when the requests under way leave no room. */
  takeHead(target: string): void {
    const cost = REQUEST_COST + computeTextCost(target, QUERY_PRICES);
    if (!this.budget.requests.tryTake(cost)) throw exhausted('requests', this.budget.requests);
    this.headCost = cost;
  }

  /**
   * Rejects a body that has no room now, before any of it arrives. What arrives is counted by {@link growBody}.
   *
   * **Errors**: `UnavailableError`.
   */
  expectBody(declaredBytes: number): void {
    const { bodies } = this.budget;
    if (declaredBytes > bodies.free) throw exhausted('bodies', bodies);
  }

  /**
   * Counts bytes of a body that are kept from now on.
   *
   * **Errors**: `UnavailableError` when the bodies under way leave no room.
   */
  growBody(bytes: number): void {
    const { bodies } = this.budget;
    if (!bodies.tryTake(bytes)) throw exhausted('bodies', bodies);
    this.bodyBytes += bytes;
  }

  /** To be called when nothing holds the bytes of the body. */
  dropBody(): void {
    if (this.bodyBytes > 0) this.budget.bodies.give(this.bodyBytes);
    this.bodyBytes = 0;
  }

  /**
   * Waits until there is room for the values of the body.
   *
   * **Errors**: `TooLargeError` for more than `maxCost`, unless they are small, or than there ever is; `UnavailableError` when there is none in
   * time; `CancelledError` when the connection breaks first.
   */
  async takeValues(cost: number, { maxCost, timeLimitMs }: ValueLimits): Promise<void> {
    const isSmall = cost <= SMALL_COST;
    const share = isSmall ? this.budget.smallValues : this.budget.largeValues;
    const limit = Math.min(isSmall ? SMALL_COST : maxCost, share.limit);
    if (cost > limit) {
      throw new TooLargeError(
        `The values of the body would take about ${inMb(cost)} of memory, and those of this call may take ${inMb(limit)} here: send fewer values at once`,
      );
    }
    if (!share.tryTake(cost)) await this.waitFor(share, cost, timeLimitMs);
    this.values = { share, cost };
  }

  private async waitFor(share: MemoryShare, cost: number, timeLimitMs: number): Promise<void> {
    const signal = AbortSignal.any([this.closing.signal, AbortSignal.timeout(timeLimitMs)]);
    if (await share.take(cost, signal)) return;
    throw this.closing.signal.aborted
      ? new CancelledError('The client went away')
      : exhausted('values of bodies', share);
  }

  /** To be called when the answer exists, and nothing holds the values of the body. */
  answered(): void {
    this.isAnswered = true;
    this.giveValues();
    if (this.closing.signal.aborted) this.giveRest();
  }

  /** To be called when the answer is sent, or the connection is gone. */
  close(): void {
    if (this.closing.signal.aborted) return;
    this.closing.abort();
    if (this.isAnswered) this.giveRest();
  }

  private giveValues(): void {
    if (this.values === undefined) return;
    const { share, cost } = this.values;
    this.values = undefined;
    share.give(cost);
  }

  private giveRest(): void {
    this.dropBody();
    if (this.headCost > 0) this.budget.requests.give(this.headCost);
    this.headCost = 0;
  }
}

export interface ValueLimits {
  /** The most that the values of one call may take. **Units**: bytes of heap. */
  readonly maxCost: number;
  readonly timeLimitMs: number;
}

function exhausted(what: string, { limit }: MemoryShare): UnavailableError {
  return new UnavailableError(
    `The ${what} under way take all the memory that is set aside for them, which is ${inMb(limit)}: repeat the call`,
  );
}
