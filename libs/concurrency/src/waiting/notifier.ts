/**
 * Wakes waiters within this process when there may be news: changes in the store, or a checkpoint that moved.
 *
 * A notification is a hint only. It does not reach other processes and may be spurious, so every waiter also polls.
 */
export class Notifier {
  private readonly waiting = new Set<() => void>();
  private notifications = 0;

  /** Number of notifications so far. */
  get count(): number {
    return this.notifications;
  }

  notify(): void {
    this.notifications++;
    for (const wake of [...this.waiting]) wake();
  }

  /** Resolves at the next notification, after `timeoutMs`, or when `signal` aborts, whichever comes first. */
  wait(timeoutMs: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        this.waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      signal?.addEventListener('abort', wake, { once: true });
      this.waiting.add(wake);
    });
  }
}
