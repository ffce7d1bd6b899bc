import { setImmediate } from 'node:timers/promises';

/** How long resolvers work before other calls have their turn. */
const TURN_MS = 20;
/** Fields that go on at once; between them the clock is read. */
const AT_ONCE = 20;
/** Steps that a field takes until its own fields are resolved. */
const STEPS = 6;

/** Lets the execution of a text pause: by itself it resolves all fields of a level without letting go of the process. */
export class Turns {
  private startedAt: number | undefined;
  private waiting: (() => void)[] = [];

  /** True when the turn has lasted for long enough: a field that leads to others then waits for {@link next}. */
  get isOver(): boolean {
    if (this.startedAt === undefined) {
      this.startedAt = performance.now();
      void this.takeTurns();
    }
    return performance.now() - this.startedAt > TURN_MS;
  }

  /** Waits for a turn, in the order of the calls. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }

  private async takeTurns(): Promise<void> {
    do {
      await setImmediate();
      const waiting = this.waiting;
      this.waiting = [];
      this.startedAt = performance.now();
      let begun = 0;
      while (begun < waiting.length && performance.now() - this.startedAt <= TURN_MS) {
        for (const begin of waiting.slice(begun, begun + AT_ONCE)) begin();
        begun += AT_ONCE;
        for (let step = 0; step < STEPS; step++) await Promise.resolve();
      }
      this.waiting = [...waiting.slice(begun), ...this.waiting];
    } while (this.waiting.length > 0);
    this.startedAt = undefined;
  }
}
