/** Number of entities that an answer lists; each may take half a kilobyte. */
const NAMED = 1_000;

/** Entities that a rollback removes although others wrote to them. */
export class UnsafeEntities {
  count = 0;
  /** Number of aspects that others wrote to these entities. */
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
