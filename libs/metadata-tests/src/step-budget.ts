/** Bounds what an evaluation may cost. Every part of it takes its steps before it works. */
export class StepBudget {
  constructor(private left: number) {}

  get isSpent(): boolean {
    return this.left < 0;
  }

  /** False: too few were left, for this part and for every later one. */
  take(steps: number): boolean {
    this.left = this.isSpent ? this.left : this.left - steps;
    return !this.isSpent;
  }
}
