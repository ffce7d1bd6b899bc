import { measure } from '@stratalog/concurrency';
import type { CallCounts } from '@stratalog/ports';
import { TransportError } from '../errors/transport-error';
import { CallRates } from './call-rates';
import { toNetwork } from './caller-network';
import { GuessLockout } from './guess-lockout';
import { isLoopback } from './own-hosts';

export interface LimitOptions {
  /** Calls of one caller a second, as an average over ten seconds; 0 for no limit. */
  readonly readsPerSecond: number;
  readonly writesPerSecond: number;
  /** Wrong tokens from one network before it is locked out; 0 for no limit. */
  readonly maxFailedTokens: number;
  /** Shares the counts with other processes; without it each process counts for itself. */
  readonly shared?: CallCounts | undefined;
  /** Epoch ms. */
  readonly now?: () => number;
}

/** Processes exchange their counts so often while calls arrive. */
const EXCHANGE_MS = 1_000;
/** More than the time between two exchanges of a process that is busy. */
const RECENT_MS = 5_000;
const MAX_LEARNT = 1_000;
/** No window of rates is older when it still counts, and no window of failures; there are many more of the former. */
const KEEP_RATES_MS = 60_000;
const KEEP_FAILURES_MS = 7_200_000;
const PURGE_EVERY = 60;

/**
 * Limits calls: the rate of reads and of writes for each caller, and wrong tokens for each network. A caller is the
 * actor of its token, or else its address.
 *
 * Every decision is made in memory. Processes exchange their counts every second, so together they admit at most
 * the calls of one second at each other process more than the limit; while the store is away each process limits alone.
 */
export class CallLimits {
  private readonly rates: ReadonlyMap<'read' | 'write', CallRates>;
  private readonly lockout: GuessLockout | undefined;
  private readonly now: () => number;
  private isBusy = false;
  private exchanges = 0;
  private exchanging: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: LimitOptions) {
    const { readsPerSecond, writesPerSecond, maxFailedTokens } = options;
    this.rates = new Map([
      ...(readsPerSecond > 0 ? [['read', new CallRates('read', readsPerSecond)] as const] : []),
      ...(writesPerSecond > 0 ? [['write', new CallRates('write', writesPerSecond)] as const] : []),
    ]);
    this.lockout = maxFailedTokens > 0 ? new GuessLockout(maxFailedTokens) : undefined;
    this.now = options.now ?? Date.now;
  }

  /**
   * To be called before a token is checked. Programs of this machine are never locked out: they could read the token's
   * file, and one of them must not shut out the others.
   *
   * **Errors**: 429 while the network of the address is locked out.
   */
  rejectGuesser(address: string): void {
    if (this.lockout === undefined || isLoopback(address)) return;
    this.isBusy = true;
    const waitMs = this.lockout.readLock(toNetwork(address), this.now());
    if (waitMs > 0) throw reject('lockout', waitMs, 'Too many wrong tokens came from your address');
  }

  /** Counts a wrong token. */
  fail(address: string): void {
    if (!isLoopback(address)) this.lockout?.fail(toNetwork(address), this.now());
  }

  /**
   * Counts a call.
   *
   * **Errors**: 429 when the caller exceeds its rate.
   */
  rejectFast(caller: string, kind: 'read' | 'write'): void {
    const rates = this.rates.get(kind);
    if (rates === undefined) return;
    this.isBusy = true;
    const waitMs = rates.admit(caller, this.now());
    if (waitMs > 0) throw reject(`${kind}s`, waitMs, `Too many ${kind}s of one caller`);
  }

  /** Begins to exchange counts with other processes, until `stop`. */
  start(): void {
    if (this.options.shared === undefined) return;
    this.timer ??= setInterval(() => {
      if (this.isBusy) this.exchanging ??= this.exchange().finally(() => (this.exchanging = undefined));
    }, EXCHANGE_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.exchanging;
  }

  /** Tells other processes the new calls of this one, and learns theirs. Faults of the store leave limits of one process. */
  async exchange(): Promise<void> {
    const { shared } = this.options;
    if (shared === undefined) return;
    this.isBusy = false;
    const nowMs = this.now();
    const unshared = [...this.rates.values()].flatMap((rates) => rates.takeUnshared());
    const failures = this.lockout?.takeUnshared(nowMs) ?? [];
    this.exchanges += 1;
    try {
      for (const total of await shared.add([...unshared, ...failures])) {
        if (total.kind !== 'failure') this.rates.get(total.kind)?.learn(total);
      }
      for (const total of await shared.listRecent('failure', RECENT_MS, MAX_LEARNT)) {
        this.lockout?.learn(total, nowMs);
      }
      if (this.exchanges % PURGE_EVERY === 1) {
        await shared.purge(['read', 'write'], KEEP_RATES_MS);
        await shared.purge(['failure'], KEEP_FAILURES_MS);
      }
    } catch {
      // The health of the process reports the store; its counts are estimates.
    }
  }
}

function reject(limit: 'reads' | 'writes' | 'lockout', waitMs: number, reason: string): TransportError {
  measure('limited', { limit });
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new TransportError(429, `${reason}; try again after ${String(seconds)} s`, {
    'retry-after': String(seconds),
  });
}
