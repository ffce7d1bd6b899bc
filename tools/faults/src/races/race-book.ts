import { Violation } from '../ledger/violation';
import type { Count, Mark } from './race-values';

/** The acknowledged writes of one entity. */
export interface Acknowledged {
  /** The racer that raised the counter to each number: `by` of 1 comes first. */
  readonly raised: Map<number, string>;
  /** The numbers of each racer. */
  readonly marks: Map<number, number[]>;
}

/**
 * The racers' knowledge: who raised which counter to which number, who set which mark, and the remaining
 * work.
 */
export class RaceBook {
  private readonly byUrn = new Map<string, Acknowledged>();
  private left: number;
  private raisedCount = 0;

  constructor(
    readonly increments: number,
    /** Receives the total after each increment. */
    private readonly onRaised: (raised: number) => void = () => undefined,
  ) {
    this.left = increments;
  }

  /** Returns how many of the wanted increments the caller may make: fewer at the end, then none. */
  claim(wanted: number): number {
    const claimed = Math.min(wanted, this.left);
    this.left -= claimed;
    return claimed;
  }

  /** The highest known number of a counter. */
  reached(urn: string): number {
    return this.of(urn).raised.size;
  }

  /** **Errors**: `Violation` when another racer got the same number. */
  raised(urn: string, { count, by }: Count): void {
    const { raised } = this.of(urn);
    const other = raised.get(count);
    if (other !== undefined) {
      throw new Violation(
        'lost update',
        `both ${other} and ${by} were told to have raised ${urn} to ${count}`,
      );
    }
    raised.set(count, by);
    this.onRaised(++this.raisedCount);
  }

  marked(urn: string, { racer, number }: Mark): void {
    const { marks } = this.of(urn);
    const own = marks.get(racer);
    if (own === undefined) marks.set(racer, [number]);
    else own.push(number);
  }

  has(urn: string): boolean {
    return this.byUrn.has(urn);
  }

  entries(): Iterable<[urn: string, acknowledged: Acknowledged]> {
    return this.byUrn;
  }

  of(urn: string): Acknowledged {
    const known = this.byUrn.get(urn) ?? {
      raised: new Map<number, string>(),
      marks: new Map<number, number[]>(),
    };
    this.byUrn.set(urn, known);
    return known;
  }
}
