import { describe, expect, it } from '@jest/globals';
import type { ChangeRecord } from '@stratalog/domain';
import { A, B, History, STAMP, deletion, record, withDefaults } from './testing/history';

describe('decideWrites, given a deletion', () => {
  const kinds = (changes: readonly ChangeRecord[]) =>
    changes.map(({ aspectName, kind, version, value }) => [aspectName, kind, version, value]);

  it('decideWrites, given a deletion of an aspect, numbers a change without value, and continues from there', () => {
    const history = History.after([record(A, 'status', '1')], [record(A, 'status', '2')]);
    const { changes, outcomes } = history.apply([deletion(A, 'status')]);
    expect(kinds(changes)).toEqual([['status', 'delete', 3, undefined]]);
    expect(outcomes).toMatchObject([{ kind: 'written', version: 3, seq: 4 }]);
    expect(history.aspect(A, 'status')).toBeUndefined();

    expect(kinds(history.apply([record(A, 'status', '2')]).changes)).toEqual([['status', 'upsert', 4, '2']]);
  });

  it('decideWrites, given a deletion of the key aspect, deletes every aspect, the key last, and the entity', () => {
    const history = History.after([record(A, 'status', '1'), record(A, 'ownership', '1')]);
    const writes = history.apply([deletion(A, 'tagKey')]);
    expect(kinds(writes.changes)).toEqual([
      ['ownership', 'delete', 2, undefined],
      ['status', 'delete', 2, undefined],
      ['tagKey', 'delete', 2, undefined],
    ]);
    expect(writes.deletions).toEqual([{ urn: A, seq: 6 }]);
    expect(writes.outcomes).toMatchObject([{ kind: 'written', version: 2, seq: 6 }]);
  });

  it('lets a later proposal create the entity again, with continued numbers', () => {
    const again = record(A, 'status', '1', withDefaults({ browsePaths: '[]' }));
    const history = History.after([again], [deletion(A, 'tagKey')]);
    const { changes, outcomes } = history.apply([again]);
    expect(kinds(changes)).toEqual([
      ['tagKey', 'upsert', 3, `{"name":"${A}"}`],
      ['browsePaths', 'upsert', 3, '[]'],
      ['status', 'upsert', 3, '1'],
    ]);
    expect(outcomes).toMatchObject([{ kind: 'written', version: 3 }]);
  });

  it('decideWrites, given a deletion of an absent target, changes nothing', () => {
    const history = History.after([record(A, 'status', '1')]);
    const { changes, outcomes } = history.apply([
      deletion(A, 'ownership'),
      deletion(B, 'status'),
      deletion(B, 'tagKey'),
    ]);
    expect(changes).toEqual([]);
    expect(outcomes).toMatchObject([
      { kind: 'unchanged', seq: 2 },
      { kind: 'unchanged', seq: 0 },
      { kind: 'unchanged', seq: 0 },
    ]);
  });

  it('forgets earlier refreshes', () => {
    const history = History.after([record(A, 'status', '1')]);
    const seen = record(A, 'status', '1', { systemMetadata: { runId: 'run-2' } });
    expect(history.apply([seen, deletion(A, 'status')]).refreshes).toEqual([]);
    expect(
      history.apply([deletion(A, 'status'), record(A, 'status', '1')]).changes[0]?.aspectCreated,
    ).toBeUndefined();
  });

  it('keeps aspectCreated as long as the aspect exists', () => {
    const history = History.after([record(A, 'status', '1')]);
    const [second] = history.apply([record(A, 'status', '2')]).changes;
    expect(second?.aspectCreated).toEqual({ time: STAMP, actor: 'urn:li:corpuser:x' });
  });
});
