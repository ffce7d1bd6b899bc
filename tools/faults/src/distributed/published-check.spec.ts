import { describe, expect, it } from '@jest/globals';
import { PublishedCheck, type PublishedChange } from './published-check';

const change = (seq: number, value = `value ${seq}`): PublishedChange => ({
  partition: 1,
  seq,
  urn: 'urn:li:dataset:x',
  aspect: 'status',
  version: seq,
  value,
});
const compileCheck = (stored: number): PublishedCheck => {
  const check = new PublishedCheck();
  for (let seq = 1; seq <= stored; seq++) check.store(change(seq));
  return check;
};
const publish = (check: PublishedCheck, ...seqs: readonly number[]): PublishedCheck => {
  for (const seq of seqs) check.publish(change(seq));
  return check;
};

describe('the check of the change topic', () => {
  it('accepts each change once, and some again', () => {
    const check = publish(compileCheck(5), 1, 2, 3, 2, 3, 4, 5);
    expect(check.isComplete()).toBe(true);
    expect(check.progress().repeats).toBe(2);
  });

  it('is not complete before the last', () => {
    expect(publish(compileCheck(3), 1, 2).isComplete()).toBe(false);
  });

  it('finds one that is left out, also behind a repeat', () => {
    expect(() => publish(compileCheck(5), 1, 3)).toThrow('change 3 of partition 1 follows change 1');
    expect(() => publish(compileCheck(5), 1, 2, 3, 2, 4)).toThrow('change 4 of partition 1 follows change 2');
  });

  it('finds one that the store does not have, or has otherwise', () => {
    expect(() => publish(compileCheck(1), 1, 2)).toThrow('is not in the store');
    expect(() => {
      compileCheck(1).publish(change(1, 'another'));
    }).toThrow("differs from the store's");
  });
});
