import type { SeededRandom } from '@stratalog/harness';

/** Generates ranks from 0 with a frequency that falls as 1 / (rank + 1), like the words of a language. */
export class Zipf {
  private readonly cumulated: Float64Array;

  constructor(size: number) {
    this.cumulated = new Float64Array(size);
    let sum = 0;
    for (let rank = 0; rank < size; rank++) {
      sum += 1 / (rank + 1);
      this.cumulated[rank] = sum;
    }
  }

  draw(random: SeededRandom): number {
    const wanted = random.fraction() * (this.cumulated.at(-1) ?? 0);
    let low = 0;
    let high = this.cumulated.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.cumulated[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
