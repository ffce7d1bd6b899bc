/** Lifetime of the cached live version. A process notices another process's activation within this time. */
const LIFETIME_MS = 1_000;

/** Caches the live index version of one process, so that a query costs no lookup. */
export class LiveCache<Index> {
  private cached: { readonly index: Index | undefined; readonly until: number } | undefined;
  private changes = 0;

  /** Returns the cached live version, or reads it when it is older than its lifetime or forgotten. */
  async get(read: () => Promise<Index | undefined>): Promise<Index | undefined> {
    if (this.cached !== undefined && performance.now() < this.cached.until) return this.cached.index;
    const { changes } = this;
    const index = await read();
    // A version that was read before a change of this process may be out of date.
    if (changes === this.changes) this.cached = { index, until: performance.now() + LIFETIME_MS };
    return index;
  }

  /** To be called after each change of the live version. */
  forget(): void {
    this.changes++;
    this.cached = undefined;
  }
}
