import { describe, expect, it } from '@jest/globals';
import { stringifyJson } from '@stratalog/json';
import { ChangeCheck } from './check-changes';
import { Ledger } from '../ledger/ledger';
import { LedgerValues } from './ledger-values';
import { sentValue } from '../ledger/sent-value';
import type { ChangeRow } from './stored-changes';

const URN = 'urn:li:dataset:(urn:li:dataPlatform:faults,x,PROD)';
const KEY: ChangeRow = {
  partition: 3,
  seq: 1,
  urn: URN,
  aspect: 'datasetKey',
  version: 1,
  value: '{}',
  created_ms: 100,
};
const FIRST: ChangeRow = {
  ...KEY,
  seq: 2,
  aspect: 'datasetProperties',
  value: stringifyJson(sentValue('datasetProperties', 2)),
};
const SECOND: ChangeRow = {
  ...FIRST,
  seq: 3,
  version: 2,
  value: stringifyJson(sentValue('datasetProperties', 3)),
};

/** Two writes of one sender, both acknowledged at the seq that the store must have. */
function ledgerOfTwo(): Ledger {
  const ledger = new Ledger();
  for (const [value, seq] of [
    [2, 2],
    [3, 3],
  ] as const) {
    const proposed = {
      urn: URN,
      aspectName: 'datasetProperties',
      inTurn: true,
      isAsync: false,
      value,
    } as const;
    ledger.acknowledge(ledger.sending(proposed), new Map([[3, seq]]));
  }
  return ledger;
}

function check(rows: readonly ChangeRow[], last = rows.length): ReturnType<ChangeCheck['finish']> {
  const changes = new ChangeCheck(new LedgerValues(ledgerOfTwo()));
  for (const row of rows) changes.add(row);
  return changes.finish(new Map([[3, last]]));
}

describe('the check of the change table', () => {
  it('counts correct changes', () => {
    expect(check([KEY, FIRST, SECOND])).toEqual({ changes: 3, aspects: 1, entities: 1 });
  });

  it.each<[string, readonly ChangeRow[], string]>([
    ['a gap in seq', [KEY, { ...FIRST, seq: 3 }], 'seq: partition 3, seq 3'],
    ['a repeated seq', [KEY, FIRST, { ...SECOND, seq: 2 }], 'follows seq 2'],
    ['a gap in versions', [KEY, FIRST, { ...SECOND, version: 3 }], 'versions: '],
    ['a stamp that goes back', [KEY, FIRST, { ...SECOND, created_ms: 99 }], 'stamps: '],
    [
      'a damaged value',
      [KEY, FIRST, { ...SECOND, value: SECOND.value.replace('send 3:', 'send 3;') }],
      'values: ',
    ],
    ['a second key', [KEY, { ...KEY, seq: 2, version: 2 }], 'second version of a key aspect'],
    ['an entity without its key', [{ ...FIRST, seq: 1 }], 'no key aspect'],
    ['an aspect that was not sent', [KEY, { ...FIRST, aspect: 'ownership' }], 'was not sent'],
    ['a lost write', [KEY, FIRST], 'value 3 was acknowledged and is not there'],
  ])('finds %s', (_, rows, words) => {
    expect(() => check(rows)).toThrow(words);
  });

  it('finds changes missing at the end of a partition', () => {
    expect(() => check([KEY, FIRST, SECOND], 4)).toThrow('partition 3 ends at 3, but its last seq is 4');
  });
});
