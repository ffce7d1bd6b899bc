import { parseJson } from '@stratalog/json';
import type { SentValues } from '../checks/check-changes';
import type { ChangeRow } from '../checks/stored-changes';
import { Violation } from '../ledger/violation';
import type { RaceBook } from './race-book';
import { COUNTER, MARKS, countIn, marksIn } from './race-values';

interface Stored {
  counts: number;
  marks: ReadonlyMap<number, number>;
  marked: number;
}

/**
 * Compares the histories of counters and marks with the racers' acknowledgements. Version 7 of a counter is
 * the number 7, written by the racer that got it acknowledged. Each version of the marks differs from the one
 * before by one racer's next number. Rejected writes leave no version.
 */
export class RaceHistories implements SentValues {
  private readonly byUrn = new Map<string, Stored>();

  constructor(
    private readonly book: RaceBook,
    /** For all other aspects. */
    private readonly others: SentValues,
  ) {}

  add(row: ChangeRow, where: string): void {
    const isOfRace = this.book.has(row.urn) && (row.aspect === COUNTER || row.aspect === MARKS);
    if (!isOfRace) this.others.add(row, where);
    else if (row.aspect === COUNTER) this.addCount(row, where);
    else this.addMarks(row, where);
  }

  finish(): void {
    let counted = 0;
    for (const [urn, { raised, marks }] of this.book.entries()) {
      const { counts, marked } = this.of(urn);
      counted += counts;
      if (counts !== raised.size) {
        throw new Violation(
          'lost update',
          `${urn} counts ${counts}, ${raised.size} increments were acknowledged`,
        );
      }
      const acknowledged = [...marks.values()].reduce((sum, numbers) => sum + numbers.length, 0);
      if (marked !== acknowledged) {
        throw new Violation('lost update', `${urn} has ${marked} marks, ${acknowledged} were acknowledged`);
      }
    }
    if (counted !== this.book.increments) {
      throw new Violation(
        'lost update',
        `${counted} increments are stored, ${this.book.increments} were made`,
      );
    }
    this.others.finish();
  }

  private addCount({ urn, version, value }: ChangeRow, where: string): void {
    const found = countIn(parseJson(value));
    const by = this.book.of(urn).raised.get(version);
    if (found?.count !== version || found.by !== by) {
      const wanted = by === undefined ? 'no client was told so' : `${by} was told to have made it ${version}`;
      throw new Violation('lost update', `${where} holds ${value.slice(0, 200)}; ${wanted}`);
    }
    this.of(urn).counts++;
  }

  private addMarks({ urn, value }: ChangeRow, where: string): void {
    const stored = this.of(urn);
    const marks = marksIn(value);
    const changed = [...marks].filter(([racer, number]) => stored.marks.get(racer) !== number);
    const [racer, number] = changed[0] ?? [];
    const isLost = [...stored.marks.keys()].some((each) => !marks.has(each));
    if (racer === undefined || number === undefined || changed.length > 1 || isLost) {
      throw new Violation(
        'lost update',
        `${where} is not the version before with one mark more: ${value.slice(0, 300)}`,
      );
    }
    const numbers = this.book.of(urn).marks.get(racer) ?? [];
    const next = numbers[numbers.indexOf(stored.marks.get(racer) ?? -1) + 1];
    if (number !== next) {
      throw new Violation(
        'lost update',
        `${where} has mark ${number} of racer ${racer}, whose next is ${String(next)}`,
      );
    }
    stored.marks = marks;
    stored.marked++;
  }

  private of(urn: string): Stored {
    const known = this.byUrn.get(urn) ?? { counts: 0, marks: new Map<number, number>(), marked: 0 };
    this.byUrn.set(urn, known);
    return known;
  }
}
