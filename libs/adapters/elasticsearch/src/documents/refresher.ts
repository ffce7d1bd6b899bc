import type { Client } from '@elastic/elasticsearch';
import { answered } from '../engine/translate-error';

/**
 * Makes written documents visible to searches. A refresh costs the same for one document and for thousands, so all
 * calls during one share the next.
 */
export class Refresher {
  private running: Promise<unknown> = Promise.resolve();
  private next: Promise<void> | undefined;

  constructor(
    private readonly client: Client,
    private readonly index: string,
  ) {}

  /** Resolves when searches see everything that was written before the call. */
  refresh(): Promise<void> {
    this.next ??= this.begin();
    return this.next;
  }

  private begin(): Promise<void> {
    const done = this.running.then(async () => {
      // Writes from here on are too late for this refresh.
      this.next = undefined;
      await answered(this.client.indices.refresh({ index: this.index }));
    });
    // Its callers receive the failure; the next refresh starts in either case.
    this.running = done.catch(() => undefined);
    return done;
  }
}
