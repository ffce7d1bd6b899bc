/** How many an answer names; each may be half a kilobyte. */
const NAMED = 1_000;

/** Entities that a rollback takes away although others have written of them. */
export class UnsafeEntities {
  count = 0;
  /** Aspects that others have written of them. */
  aspects = 0;
  readonly urns: string[] = [];

  add(others: ReadonlyMap<string, number>): void {
    for (const [urn, aspects] of others) {
      this.count += 1;
      this.aspects += aspects;
      if (this.urns.length < NAMED) this.urns.push(urn);
    }
  }
}
