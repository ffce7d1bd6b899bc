import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { migrations } from './migrations';

/** The beginning of the digest of each migration that has landed. Add a line for a new one, and never change one. */
const FROZEN = {
  Store2026112200001: 'd0aaa174efa0b345',
  Timeseries2026112200002: '1d9afa3c8a0c902d',
  Logs2026112200003: '139ef79fb0702559',
  Search2026112200004: '191287bbcc003d7e',
  Graph2026112200005: '055064e1a643b8e8',
  Retention2026112200006: '9293b908e6ec68b2',
  Registries2026112200007: '3f1a6d04a650acf8',
  Tasks2026112300008: 'a89309d37f5a15ab',
  Operations2026112300009: 'bdbf17ee91fbdb38',
  AccessTokens2026112300010: 'ee19fa3a5ec70411',
  LogStops2026112700011: 'c299f837320db906',
  Sessions2026112800012: 'b7f3572334ff8e0b',
  AppliedAhead2026112800013: '4d80d2fba0967781',
  DeadLetters2026112800014: '621f0bdb833df7a6',
};

test('no migration that has landed is edited, and a new one is added to the frozen ones', () => {
  const digests = migrations.map((Class) => {
    const { name, sql } = new Class();
    return [name, createHash('sha256').update(sql).digest('hex').slice(0, 16)];
  });
  expect(Object.fromEntries(digests)).toEqual(FROZEN);
});
