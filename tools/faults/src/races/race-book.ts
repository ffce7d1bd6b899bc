import { Violation } from '../ledger/violation';
import type { Count, Mark } from './race-values';

/** Of one entity: what was acknowledged. */
export interface Acknowledged {
  /** Who has raised the counter to a number: `by` of 1 comes first. */
  readonly raised: Map<number, string>;
  /** The numbers of each racer. */
  readonly marks: Map<number, number[]>;
}

/** What the racers know: who has raised which counter to what, who has marked what, and how much is left to do. */
export class RaceBook {
  private readonly byUrn = new Map<string, Acknowledged>();
  private left: number;
  private raisedCount = 0;

  constructor(
    readonly increments: number,
    /** Told after each increment how many there are. */
    private readonly onRaised: (raised: number) => void = () => undefined,
  ) {
    this.left = increments;
  }

  /** How many of the increments that one wants are its own to make: fewer at the end, then none. */
  claim(wanted: number): number {
    const claimed = Math.min(wanted, this.left);
    this.left -= claimed;
    return claimed;
  }

  /** How far a counter is known to be. */
  reached(urn: string): number {
    return this.of(urn).raised.size;
  }

  /** **Errors**: `Violation` when somebody else was told the same. */
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
