/** Pseudo-random numbers that are the same in every run. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** An integer from 0 up to, not including, `bound`. */
  below(bound: number): number;
}

/** **Source**: Marsaglia, "Xorshift RNGs" (2003), the 32-bit generator with shifts 13, 17 and 5. */
export function randomFrom(seed: number): Random {
  let state = scrambled(seed);
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  return { next, below: (bound) => Math.floor(next() * bound) };
}

/** Neighbouring seeds must not give neighbouring numbers; 0 would stay 0. */
function scrambled(seed: number): number {
  let mixed = Math.imul(seed ^ (seed >>> 16), 0x45d9f3b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
  return mixed ^ (mixed >>> 16) || 1;
}

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

  draw(random: Random): number {
    const wanted = random.next() * (this.cumulated.at(-1) ?? 0);
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
