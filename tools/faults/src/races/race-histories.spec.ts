import { describe, expect, it } from '@jest/globals';
import { stringifyJson } from '@stratalog/json';
import type { ChangeRow } from '../checks/stored-changes';
import { Violation } from '../ledger/violation';
import { RaceBook } from './race-book';
import { RaceHistories } from './race-histories';
import { COUNTER, MARKS, counterValue } from './race-values';

const URN = 'urn:li:dataset:(urn:li:dataPlatform:faults,race.0,PROD)';

function row(aspect: string, version: number, value: object): ChangeRow {
  return {
    partition: 0,
    seq: 1,
    urn: URN,
    aspect,
    version,
    value: stringifyJson(value as never),
    created_ms: 1,
  };
}
const counted = (version: number, count: number, by: string): ChangeRow =>
  row(COUNTER, version, counterValue({ count, by }));
const marked = (version: number, marks: Readonly<Record<number, number>>): ChangeRow => {
  const tags = Object.entries(marks).map(([racer, number]) => ({
    tag: `urn:li:tag:racer.${racer}`,
    context: String(number),
  }));
  return row(MARKS, version, { tags });
};

/**
 * Racer 1 has raised the counter to 1, racer 2 to 2; racer 1 has left the marks 5 and 6, racer 2 the mark 3.
 */
function book(): RaceBook {
  const known = new RaceBook(2);
  known.raised(URN, { count: 1, by: '1.1' });
  known.raised(URN, { count: 2, by: '2.1' });
  for (const mark of [
    { racer: 1, number: 5 },
    { racer: 2, number: 3 },
    { racer: 1, number: 6 },
  ]) {
    known.marked(URN, mark);
  }
  return known;
}

const COUNTS = [counted(1, 1, '1.1'), counted(2, 2, '2.1')];
const ALL_MARKS = [marked(1, { 1: 5 }), marked(2, { 1: 5, 2: 3 }), marked(3, { 1: 6, 2: 3 })];

function check(rows: readonly ChangeRow[]): string {
  const others = { add: () => undefined, finish: () => undefined };
  const histories = new RaceHistories(book(), others);
  try {
    for (const each of rows) histories.add(each, 'the row');
    histories.finish();
    return 'well';
  } catch (error) {
    if (error instanceof Violation) return error.message;
    throw error;
  }
}

describe('the check of the races', () => {
  it('accepts the acknowledged results of the racers', () => {
    expect(check([...COUNTS, ...ALL_MARKS])).toBe('well');
  });

  it.each([
    ['an acknowledged increment is not there', [COUNTS[0], ...ALL_MARKS], 'counts 1, 2 increments were'],
    [
      'the number is another than the version',
      [COUNTS[0], counted(2, 3, '2.1')],
      '2.1 was told to have made it 2',
    ],
    ['a version is somebody else’s', [counted(1, 1, '2.9')], '1.1 was told to have made it 1'],
    ['one that was rejected is there', [...COUNTS, counted(3, 3, '3.1')], 'no client was told so'],
    ['an acknowledged mark is not there', [...COUNTS, ...ALL_MARKS.slice(0, 2)], 'has 2 marks, 3 were'],
    ['a patch took another’s mark away', [marked(1, { 1: 5 }), marked(2, { 2: 3 })], 'with one mark more'],
    ['two marks came at once', [marked(1, { 1: 5, 2: 3 })], 'with one mark more'],
    ['a mark was passed over', [marked(1, { 1: 6 })], 'whose next is 5'],
  ])('finds that %s', (_, rows, words) => {
    expect(check(rows.filter((each) => each !== undefined))).toContain(words);
  });

  it('finds that two racers got the same number', () => {
    expect(() => {
      book().raised(URN, { count: 2, by: '9.9' });
    }).toThrow('both 2.1 and 9.9 were told to have raised');
  });
});
