/** The time for which an unreachable instance gets no requests, unless no other is left. */
const REST_MS = 1_000;

/** The running instances of one app, used in turn. */
export class Upstreams {
  private readonly restUntil = new Map<string, number>();
  private turn = 0;

  /** `urls` are the instances' addresses; at least one. */
  constructor(
    readonly urls: readonly string[],
    private readonly now: () => number,
  ) {
    if (urls.length === 0) throw new RangeError('An app needs at least one address');
  }

  /** Returns the instance for the next request. */
  next(): string {
    const awake = this.urls.filter((url) => (this.restUntil.get(url) ?? 0) <= this.now());
    const candidates = awake.length > 0 ? awake : this.urls;
    this.turn = (this.turn + 1) % candidates.length;
    return candidates[this.turn] ?? '';
  }

  /** Reports an instance as unreachable. */
  failed(url: string): void {
    this.restUntil.set(url, this.now() + REST_MS);
  }
}
