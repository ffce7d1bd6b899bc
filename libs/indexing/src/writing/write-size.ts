/** Most entities per write. */
const MAX_ENTITIES = 200;
/** Attempts of an entity alone before it counts as the cause of a write that takes too long. */
const MAX_ATTEMPTS = 3;

/**
 * How many entities a write of an index takes: half as many after a write that failed, twice as many after one that succeeded. So a write
 * for which the index lacks room or time shrinks until it fits, or until one entity is the cause.
 */
export class WriteSize {
  private size = MAX_ENTITIES;
  /** The entity whose write took too long alone, and how often in a row. */
  private suspect = { urn: '', attempts: 0 };

  get entities(): number {
    return this.size;
  }

  /** True after a failure, until writes of full size succeed again: what is written should be kept by a checkpoint at once. */
  get isReduced(): boolean {
    return this.size < MAX_ENTITIES;
  }

  /** Counts a write of one entity that took too long; true when the entity is the cause, and no stalled disk. */
  isTooSlow(urn: string): boolean {
    this.suspect = { urn, attempts: urn === this.suspect.urn ? this.suspect.attempts + 1 : 1 };
    return this.suspect.attempts >= MAX_ATTEMPTS;
  }

  /** Runs a write of some entities, and counts its result. */
  async counted(entities: number, write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.size = Math.max(1, Math.min(this.size, Math.floor(entities / 2)));
      throw error;
    }
    // A write of few entities says nothing about one of many.
    if (entities >= this.size) this.size = Math.min(MAX_ENTITIES, 2 * this.size);
  }
}
