import type { Client } from '@elastic/elasticsearch';
import { answered } from '../engine/translate-error';

/**
 * Makes what was written findable. A refresh costs the same for one document and for thousands, so those who come while one runs
 * share the next.
 */
export class Refresher {
  private running: Promise<unknown> = Promise.resolve();
  private next: Promise<void> | undefined;

  constructor(
    private readonly client: Client,
    private readonly index: string,
  ) {}

  /** Resolves when everything that was written before the call can be found. */
  refresh(): Promise<void> {
    this.next ??= this.begin();
    return this.next;
  }

  private begin(): Promise<void> {
    const done = this.running.then(async () => {
      // From here on a write is too late for this one.
      this.next = undefined;
      await answered(this.client.indices.refresh({ index: this.index }));
    });
    // Its failure is met by those who wait for it; the next one starts either way.
    this.running = done.catch(() => undefined);
    return done;
  }
}
