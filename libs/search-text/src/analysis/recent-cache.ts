/**
 * Remembers what was computed for the texts that were asked for last.
 *
 * It has two halves. A full half replaces the other, so texts that are asked for again and again stay, however many others come
 * between them.
 */
export class RecentCache<Value> {
  private recent = new Map<string, Value>();
  private former = new Map<string, Value>();

  /** `half`: the number of texts in one half; the cache has at most twice as many. */
  constructor(private readonly half: number) {}

  get(text: string): Value | undefined {
    const known = this.recent.get(text);
    if (known !== undefined) return known;
    const before = this.former.get(text);
    if (before !== undefined) this.set(text, before);
    return before;
  }

  getOrMake(text: string, make: (text: string) => Value): Value {
    const known = this.get(text);
    if (known !== undefined) return known;
    const value = make(text);
    this.set(text, value);
    return value;
  }

  set(text: string, value: Value): void {
    if (this.recent.size >= this.half) {
      this.former = this.recent;
      this.recent = new Map();
    }
    this.recent.set(text, value);
  }
}
