import type { CallCount } from '@stratalog/ports';
import { LRUCache } from 'lru-cache';

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 900_000;
/** Failures are forgotten after this time without another one. */
const FORGET_MS = 3_600_000;
/** So many networks are cached; beyond, the one that failed longest ago is forgotten. */
const MAX_NETWORKS = 10_000;

interface Guesser {
  failures: number;
  /** Failures of this process that others do not know. */
  unshared: number;
  lastMs: number;
  lockedUntilMs: number;
}

/**
 * Locks out networks that send wrong tokens: after `maxFailures` for a second, and after each further failure for
 * twice as long, up to a quarter of an hour. Calls of a locked network are rejected unchecked and do not count.
 */
export class GuessLockout {
  private readonly guessers = new LRUCache<string, Guesser>({ max: MAX_NETWORKS });

  constructor(private readonly maxFailures: number) {}

  /** Returns for how long the network is still locked out; 0 when it is not. **Units**: ms. */
  readLock(network: string, nowMs: number): number {
    return Math.max(0, (this.guessers.peek(network)?.lockedUntilMs ?? 0) - nowMs);
  }

  /** Counts a wrong token. */
  fail(network: string, nowMs: number): void {
    const guesser = this.touch(network, nowMs);
    guesser.unshared += 1;
    this.count(guesser, guesser.failures + 1, nowMs);
  }

  /** Returns the failures that other processes do not know yet, and takes them as known. */
  takeUnshared(nowMs: number): readonly CallCount[] {
    const unshared: CallCount[] = [];
    for (const [caller, guesser] of this.guessers) {
      if (guesser.unshared === 0) continue;
      unshared.push({
        kind: 'failure',
        caller,
        window: Math.floor(nowMs / FORGET_MS),
        count: guesser.unshared,
      });
      guesser.unshared = 0;
    }
    return unshared;
  }

  /** Learns the number of failures at all processes. */
  learn({ caller, count }: CallCount, nowMs: number): void {
    if (count <= (this.guessers.peek(caller)?.failures ?? 0)) return;
    this.count(this.touch(caller, nowMs), count, nowMs);
  }

  private count(guesser: Guesser, failures: number, nowMs: number): void {
    guesser.failures = failures;
    guesser.lastMs = nowMs;
    const beyond = failures - this.maxFailures;
    if (beyond < 0) return;
    guesser.lockedUntilMs = nowMs + Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(beyond, 30));
  }

  private touch(network: string, nowMs: number): Guesser {
    const known = this.guessers.get(network);
    const isForgotten = known === undefined || known.lastMs < nowMs - FORGET_MS;
    const guesser = isForgotten ? { failures: 0, unshared: 0, lastMs: nowMs, lockedUntilMs: 0 } : known;
    this.guessers.set(network, guesser);
    return guesser;
  }
}
