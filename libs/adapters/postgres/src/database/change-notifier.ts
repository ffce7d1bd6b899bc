/**
 * Wakes whoever waits for something new within this process. A ring is a hint only: it does not reach other processes
 * and may ring for nothing, so every waiter also looks by itself after a while.
 */
export class ChangeNotifier {
  private readonly waiting = new Set<() => void>();

  notify(): void {
    for (const wake of [...this.waiting]) wake();
  }

  /** Resolves at the next ring, after `timeoutMs`, or when `signal` aborts, whichever is first. */
  wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      signal.addEventListener('abort', wake, { once: true });
      this.waiting.add(wake);
    });
  }
}
