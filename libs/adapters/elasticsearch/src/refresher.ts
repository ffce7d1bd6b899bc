import type { Client } from '@elastic/elasticsearch';
import { answered } from './translate-error';

/**
 * Makes what was written findable. A refresh costs the same for one document and for thousands, so those who come while one runs
 * share the next.
 */
export class Refresher {
  private running: Promise<unknown> = Promise.resolve();
  private next: { readonly indices: Set<string>; readonly done: Promise<void> } | undefined;

  constructor(private readonly client: Client) {}

  /** Resolves when everything that was written to `indices` before the call can be found. */
  async refresh(indices: Iterable<string>): Promise<void> {
    this.next ??= this.begin();
    const { indices: all, done } = this.next;
    for (const index of indices) all.add(index);
    await done;
  }

  private begin(): { readonly indices: Set<string>; readonly done: Promise<void> } {
    const indices = new Set<string>();
    const done = this.running.then(async () => {
      // From here on a write is too late for this one.
      this.next = undefined;
      if (indices.size > 0) await answered(this.client.indices.refresh({ index: [...indices] }));
    });
    // Its failure is met by those who wait for it; the next one starts either way.
    this.running = done.catch(() => undefined);
    return { indices, done };
  }
}
