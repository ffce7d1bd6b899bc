import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RawRequest } from './catalog/raw-http';
import { WatchedCatalog, type Effect } from './watched-catalog';

const ROUND_LIMIT_MS = 240_000;
/** The limit for the processor time of one event-loop turn. */
const MAX_TURN_MS = limitMs(100);
/** The limit for the increase of the reads' 99th percentile during a request that is larger than any use. */
const MAX_P99_MS = 250;
/**
 * The same during a legal value far beyond those of connectors. The collection of its garbage stops the process for longer than any of its
 * turns, and the slowest 1 % of a second of reads are two.
 */
export const MAX_P99_OF_VALUES_MS = 500;

/**
 * A neighbour on the machine lengthens a measurement and never shortens it. So when a case exceeds its limit, all cases up to the last
 * such one run again.
 */
const MAX_ROUNDS = 5;

export type LargeCase = readonly [name: string, status: number, request: () => RawRequest];

/**
 * Sends the requests one after another during a steady load of reads, and expects the right answers and no delay for the reads: of each
 * request the shortest measurement counts.
 */
export function describeAlongsideReads(
  name: string,
  cases: readonly LargeCase[],
  maxP99Ms = MAX_P99_MS,
): void {
  describe(name, () => {
    const rounds: Effect[][] = [];
    const shortest = (at: number, kind: 'turnMs' | 'p99Ms'): number =>
      Math.min(...rounds.map((effects) => effects[at]?.[kind] ?? Infinity));
    const isWithin = (at: number): boolean =>
      shortest(at, 'turnMs') < MAX_TURN_MS && shortest(at, 'p99Ms') < limitMs(maxP99Ms);
    beforeAll(
      async () => {
        for (let count = cases.length; count > 0 && rounds.length < MAX_ROUNDS;) {
          rounds.push(await measure(cases.slice(0, count)));
          count = cases.findLastIndex((_case, at) => !isWithin(at)) + 1;
        }
      },
      limitMs(ROUND_LIMIT_MS) * MAX_ROUNDS,
    );

    it.each(cases.map(([title, status], at) => [title, status, at] as const))(
      '%s keeps no read waiting',
      (_title, status, at) => {
        const answers = rounds.flatMap((effects) => effects[at]?.answer ?? []);
        expect(answers.map((answer) => [answer.status, answer.body.slice(0, 300)])).toEqual(
          answers.map(() => [status, expect.any(String)]),
        );
        expect(shortest(at, 'turnMs')).toBeLessThan(MAX_TURN_MS);
        expect(shortest(at, 'p99Ms')).toBeLessThan(limitMs(maxP99Ms));
      },
    );
  });
}

/** Measures the effects of all requests on a catalog of their own. */
async function measure(cases: readonly LargeCase[]): Promise<Effect[]> {
  const catalog = await WatchedCatalog.start();
  try {
    const effects: Effect[] = [];
    for (const [, , request] of cases) effects.push(await catalog.effectOf(request()));
    return effects;
  } finally {
    await catalog.end();
  }
}
