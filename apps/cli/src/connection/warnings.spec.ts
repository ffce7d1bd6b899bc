import { describe, expect, it } from '@jest/globals';
import { WarningTally, warningsIn } from './warnings';

const answer = (header: string | undefined) => ({
  status: 200,
  text: '',
  headers: { 'x-stratalog-warnings': header },
});

describe('warningsIn', () => {
  it.each([
    [undefined, []],
    ['["/a is unknown"]', ['/a is unknown']],
    ['["\\u65e5 is unknown",3]', ['日 is unknown']],
    ['not JSON', []],
    ['{}', []],
  ])('warningsIn of %j is %j', (header, warnings) => {
    expect(warningsIn(answer(header))).toEqual(warnings);
  });
});

describe('WarningTally', () => {
  it('counts warnings that differ in their index alone as one', () => {
    const tally = new WarningTally();
    tally.add(['/proposals/0/aspect/value/nme is unknown', '/proposals/7/aspect/value/nme is unknown']);
    tally.add(['/proposal/aspect/value/fields/3/nulable is unknown']);
    tally.add(['/proposal/aspect/value/nme is unknown', 'and 12 more']);
    expect(tally.sorted()).toEqual([
      { warning: 'other names', count: 12 },
      { warning: 'aspect/value/nme is unknown', count: 3 },
      { warning: 'aspect/value/fields/*/nulable is unknown', count: 1 },
    ]);
  });

  it('keeps a bounded number of groups and counts the others', () => {
    const tally = new WarningTally();
    tally.add(Array.from({ length: 1_000 }, (_, at) => `/n${String(at)} is unknown`));
    expect(tally.sorted()).toHaveLength(201);
    expect(tally.sorted()[0]).toEqual({ warning: 'other names', count: 800 });
  });
});
