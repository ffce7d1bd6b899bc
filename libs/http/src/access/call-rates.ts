import type { CallCount } from '@stratalog/ports';
import { LRUCache } from 'lru-cache';

/** Rates are averages over this time; processes with clocks that differ by less agree about windows. */
export const RATE_WINDOW_MS = 10_000;
/** So many callers are cached; beyond, the one that called longest ago is forgotten. */
const MAX_CALLERS = 10_000;
const ROUNDING = 1e-9;

interface Caller {
  window: number;
  /** Calls of this process in the window, and how many of them other processes know. */
  own: number;
  shared: number;
  /** Calls of other processes in the window, as far as known. */
  others: number;
  /** Calls of all processes in the window before. */
  previous: number;
}

/**
 * Limits the rate of calls of one kind for each caller. It counts calls in windows of ten seconds and takes the calls
 * of the window before as spread evenly (a sliding window counter). Rejected calls do not count, so a caller that does
 * not slow down still gets its rate.
 */
export class CallRates {
  private readonly callers = new LRUCache<string, Caller>({ max: MAX_CALLERS });
  private readonly maxCalls: number;

  constructor(
    private readonly kind: 'read' | 'write',
    perSecond: number,
  ) {
    this.maxCalls = (perSecond * RATE_WINDOW_MS) / 1_000;
  }

  /** Counts a call of this epoch time, or returns the milliseconds after which it would be admitted. */
  admit(name: string, nowMs: number): number {
    const window = Math.floor(nowMs / RATE_WINDOW_MS);
    const caller = this.touch(name, window);
    const current = caller.own + caller.others;
    const left = 1 - (nowMs % RATE_WINDOW_MS) / RATE_WINDOW_MS;
    const excess = current + 1 + caller.previous * left - this.maxCalls;
    // The shares of a window are rounded.
    if (excess <= ROUNDING) {
      caller.own += 1;
      return 0;
    }
    const share = excess / caller.previous;
    if (share <= left) return Math.ceil(share * RATE_WINDOW_MS);
    // In the next window the calls of this one weigh less and less.
    const lasting = Math.max(0, 1 - (this.maxCalls - 1) / current);
    return Math.ceil((left + lasting) * RATE_WINDOW_MS);
  }

  /** Returns the calls that other processes do not know yet, and takes them as known. */
  takeUnshared(): readonly CallCount[] {
    const unshared: CallCount[] = [];
    for (const [name, caller] of this.callers) {
      const count = caller.own - caller.shared;
      if (count === 0) continue;
      caller.shared = caller.own;
      unshared.push({ kind: this.kind, caller: name, window: caller.window, count });
    }
    return unshared;
  }

  /** Learns the number of calls of all processes. */
  learn({ caller: name, window, count }: CallCount): void {
    const caller = this.callers.peek(name);
    if (caller?.window === window) caller.others = Math.max(0, count - caller.shared);
  }

  private touch(name: string, window: number): Caller {
    const known = this.callers.get(name);
    const caller = known?.window === window ? known : nextWindow(known, window);
    this.callers.set(name, caller);
    return caller;
  }
}

function nextWindow(before: Caller | undefined, window: number): Caller {
  const previous = before?.window === window - 1 ? before.own + before.others : 0;
  return { window, own: 0, shared: 0, others: 0, previous };
}
