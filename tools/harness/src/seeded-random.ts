/** Random numbers that a seed determines, so that a run's plan can be repeated. */
export class SeededRandom {
  private state: number;

  /** **Shape**: `seed` is an integer from 0 to 2^32 - 1. */
  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** Returns an independent sequence for `purpose`: its use does not shift other sequences. */
  fork(purpose: number): SeededRandom {
    return new SeededRandom(mix(this.state ^ mix(purpose + 1)));
  }

  /** At least 0, below 1. */
  fraction(): number {
    this.state = (this.state + 0x9e3779b9) >>> 0;
    return mix(this.state) / 2 ** 32;
  }

  /** From `minimum` to `maximum`, both included. */
  integer(minimum: number, maximum: number): number {
    return minimum + this.below(maximum - minimum + 1);
  }

  /** An integer from 0 up to, not including, `bound`. */
  below(bound: number): number {
    return Math.floor(this.fraction() * bound);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.below(from.length)] ?? from[0];
  }

  /** Selects one of the keys, in proportion to its weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries<number>(weights) as [K, number][];
    const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
    let left = this.fraction() * total;
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    throw new RangeError('no key has a weight');
  }
}

/** The finalizer of murmur3: every bit of the input reaches every bit of the result. */
function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
