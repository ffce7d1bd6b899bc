/** Most entities per write. */
const MAX_ENTITIES = 200;

/**
 * How many entities a write of an index takes: half as many after a write that failed, twice as many after one that succeeded. So a write
 * for which the index lacks room or time shrinks until it fits, or until one entity is the cause.
 */
export class WriteSize {
  private size = MAX_ENTITIES;

  get entities(): number {
    return this.size;
  }

  /** True after a failure, until writes of full size succeed again: what is written should be kept by a checkpoint at once. */
  get isReduced(): boolean {
    return this.size < MAX_ENTITIES;
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
