import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { faultInHistory, type StoredVersion } from './check-history';
import type { AspectSends, Send } from '../ledger/ledger';

/** Makes sequential sends; an acknowledged one has its answer before the next starts. */
function sendsOf(...sends: readonly (readonly [value: number, answer: 'acknowledged' | 'lost'])[]): Send[] {
  return sends.map(([value, answer], at) => ({
    value,
    isAsync: true,
    sentAtMs: 10 * at,
    ...(answer === 'lost' ? {} : { acknowledged: { atMs: 10 * at + 5, seqs: undefined } }),
  }));
}

function aspect(inTurn: boolean, sends: Send[]): AspectSends {
  return { urn: 'urn:li:dataset:x', aspectName: 'datasetProperties', inTurn, sends };
}

function history(...values: readonly number[]): StoredVersion[] {
  return values.map((value, at) => ({ partition: 0, seq: at + 1, value }));
}

describe('the history of one sender', () => {
  it.each<[string, Send[], readonly number[]]>([
    ['every send, in order', sendsOf([1, 'acknowledged'], [2, 'acknowledged']), [1, 2]],
    ['a lost send that was applied', sendsOf([1, 'acknowledged'], [2, 'lost']), [1, 2]],
    ['a lost send that was not', sendsOf([1, 'lost'], [2, 'acknowledged']), [2]],
    ['a repeat that changed nothing', sendsOf([1, 'acknowledged'], [1, 'acknowledged']), [1]],
    ['a retry after a loss', sendsOf([1, 'lost'], [1, 'acknowledged']), [1]],
    ['a value that comes back', sendsOf([0, 'acknowledged'], [1, 'lost'], [0, 'acknowledged']), [0, 1, 0]],
    ['nothing, of what was never acknowledged', sendsOf([1, 'lost']), []],
  ])('given %s, then it is allowed', (_, sends, versions) => {
    expect(faultInHistory(aspect(true, sends), history(...versions))).toBeUndefined();
  });

  it.each<[string, Send[], readonly number[], string]>([
    ['a lost write', sendsOf([1, 'acknowledged'], [2, 'acknowledged']), [1], 'is not there'],
    ['two writes that changed places', sendsOf([1, 'acknowledged'], [2, 'acknowledged']), [2, 1], 'follow'],
    ['a write that was applied twice', sendsOf([1, 'acknowledged'], [2, 'lost']), [1, 2, 1], 'explain'],
    ['a repeat that became a version', sendsOf([1, 'acknowledged'], [1, 'acknowledged']), [1, 1], 'explain'],
    ['a value from nowhere', sendsOf([1, 'acknowledged']), [1, 7], 'was not sent'],
  ])('given %s, then it is a fault', (_, sends, versions, words) => {
    expect(faultInHistory(aspect(true, sends), history(...versions))).toContain(words);
  });

  it('allows every history with each acknowledged send once and others at most once', () => {
    const send = fc.record({
      value: fc.integer({ min: 0, max: 2 }),
      acknowledged: fc.boolean(),
      applied: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(send), (drawn) => {
        const values: number[] = [];
        for (const { value, acknowledged, applied } of drawn) {
          if ((acknowledged || applied) && values.at(-1) !== value) values.push(value);
        }
        const sends = sendsOf(
          ...drawn.map(({ value, acknowledged }) => [value, acknowledged ? 'acknowledged' : 'lost'] as const),
        );
        expect(faultInHistory(aspect(true, sends), history(...values))).toBeUndefined();
        expect(faultInHistory(aspect(true, sends), history(...values, values.at(-1) ?? 3))).toBeDefined();
      }),
    );
  });
});

describe('the history of many senders', () => {
  /** Two sends under way at the same time. */
  const overlapping: Send[] = [
    { value: 1, isAsync: false, sentAtMs: 0, acknowledged: { atMs: 20, seqs: new Map([[0, 2]]) } },
    { value: 2, isAsync: false, sentAtMs: 10, acknowledged: { atMs: 30, seqs: new Map([[0, 2]]) } },
  ];

  it('may have those that overlapped in either order', () => {
    expect(faultInHistory(aspect(false, overlapping), history(1, 2))).toBeUndefined();
    expect(faultInHistory(aspect(false, overlapping), history(2, 1))).toBeUndefined();
  });

  it('must have those that did not overlap in their order', () => {
    const sends = sendsOf([1, 'acknowledged'], [2, 'acknowledged']);
    expect(faultInHistory(aspect(false, sends), history(2, 1))).toContain('before the send');
  });

  it('must not have a value twice, or miss one that was acknowledged', () => {
    expect(faultInHistory(aspect(false, overlapping), history(1, 2, 1))).toContain('repeats value 1');
    expect(faultInHistory(aspect(false, overlapping), history(1))).toContain('value 2 was acknowledged');
  });

  it('must have a synchronous write at the position in its answer', () => {
    const sends: Send[] = [
      { value: 1, isAsync: false, sentAtMs: 0, acknowledged: { atMs: 5, seqs: new Map([[0, 1]]) } },
    ];
    const late = [{ partition: 0, seq: 2, value: 1 }];
    expect(faultInHistory(aspect(false, sends), late)).toBe(
      'value 1 was acknowledged at seq 1 and lies at seq 2',
    );
  });
});
