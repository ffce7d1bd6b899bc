import { describe, expect, it } from '@jest/globals';
import type { AcceptedRecord } from './check-record';
import { A, B, History, STAMP, deletion, record, withDefaults, withoutValue } from './testing/history';

describe('decideWrites, given preconditions', () => {
  const toOutcome = (history: History, more: Partial<AcceptedRecord>, urn = A) =>
    history.apply([record(urn, 'status', 'new', more)]);
  const existing = () => History.after([record(A, 'status', '1')], [record(A, 'status', '2')]);

  it.each<[string, Partial<AcceptedRecord>, string | undefined]>([
    ['the version that is there', { preconditions: { version: 2 } }, undefined],
    ['another version', { preconditions: { version: 1 } }, 'Expected version 1, actual version 2'],
    ['no version', { preconditions: { version: -1 } }, 'Expected version -1, actual version 2'],
    ['a time before', { preconditions: { modifiedSinceMs: STAMP - 1 } }, undefined],
    ['its time', { preconditions: { modifiedSinceMs: STAMP } }, 'and not after 1970-01-01T00:00:01.000Z'],
    ['no change since its time', { preconditions: { unmodifiedSinceMs: STAMP } }, undefined],
    [
      'no change since before',
      { preconditions: { unmodifiedSinceMs: STAMP - 1 } },
      'If-Unmodified-Since forbids',
    ],
    ['that it is not there', { changeType: 'CREATE' }, 'it exists already, at version 2'],
    ['no entity', { changeType: 'CREATE_ENTITY' }, 'the entity exists already'],
    ['nothing, to update', { changeType: 'UPDATE' }, undefined],
  ])('requires %s', (_, more, reason) => {
    const { outcomes, changes, rejections } = toOutcome(existing(), more);
    if (reason === undefined) {
      expect(outcomes).toMatchObject([{ kind: 'written', version: 3 }]);
      return;
    }
    expect(outcomes).toEqual([{ kind: 'rejected', reason: expect.stringContaining(reason) }]);
    expect(changes).toEqual([]);
    expect(rejections).toHaveLength(1);
  });

  it.each<[string, Partial<AcceptedRecord>, string | undefined]>([
    ['no version', { preconditions: { version: -1 } }, undefined],
    ['a version', { preconditions: { version: 1 } }, 'Expected version 1, actual version -1'],
    ['a time', { preconditions: { modifiedSinceMs: 0 } }, 'is not there'],
    ['no change', { preconditions: { unmodifiedSinceMs: 0 } }, undefined],
    ['that it is not there', { changeType: 'CREATE' }, undefined],
    ['no entity', { changeType: 'CREATE_ENTITY' }, undefined],
  ])('decideWrites, given preconditions of an absent aspect requires %s', (_, more, reason) => {
    const [outcome] = toOutcome(existing(), more, B).outcomes;
    expect(outcome?.kind).toBe(reason === undefined ? 'written' : 'rejected');
    if (outcome?.kind === 'rejected') expect(outcome.reason).toContain(reason);
  });

  describe('and the version of the key aspect that the catalog has read,', () => {
    const ofKey = (keyVersion: number) => ({ preconditions: { version: -1, keyVersion } });
    const write = (history: History, keyVersion: number) =>
      history.apply([record(A, 'documentation', 'x', ofKey(keyVersion))]);

    it('writes to an entity that lives since then, and makes none', () => {
      expect(write(existing(), 1).outcomes).toMatchObject([{ kind: 'written', version: 1 }]);
      const never = write(new History(), 0);
      expect([never.outcomes[0]?.kind, never.changes]).toEqual(['rejected', []]);
    });

    it.each([
      ['deleted', (): History => History.after([record(A, 'status', '1')], [deletion(A, 'tagKey')])],
      [
        'deleted and created again',
        (): History =>
          History.after([record(A, 'status', '1')], [deletion(A, 'tagKey')], [record(A, 'status', '1')]),
      ],
    ])('does not write to an entity that was %s', (_, given) => {
      const { outcomes, changes } = write(given(), 1);
      const reason = expect.stringContaining('was deleted since it was read') as unknown as string;
      expect([outcomes, changes]).toEqual([[{ kind: 'rejected', reason }], []]);
    });

    it('has it for a timeseries value too', () => {
      const value = (keyVersion: number) =>
        record(A, 'tagUsage', '{}', {
          preconditions: { keyVersion },
          timeseriesValues: { identity: { timestampMs: 1, valueKey: 'k' } },
        });
      const gone = History.after([record(A, 'status', '1')], [deletion(A, 'tagKey')]);
      expect(gone.apply([value(1)])).toMatchObject({ outcomes: [{ kind: 'rejected' }], changes: [] });
      expect(existing().apply([value(1)]).outcomes).toMatchObject([{ kind: 'written' }]);
    });

    it('writes to the new life of an entity that was created again', () => {
      const history = History.after(
        [record(A, 'status', '1')],
        [deletion(A, 'tagKey')],
        [record(A, 'status', '1')],
      );
      expect(write(history, 3).outcomes).toMatchObject([{ kind: 'written' }]);
    });
  });

  it('ignores an existing target when the header says so', () => {
    const preconditions = { passesOverExisting: true };
    for (const changeType of ['CREATE', 'CREATE_ENTITY'] as const) {
      const { outcomes, changes } = toOutcome(existing(), { changeType, preconditions });
      expect([outcomes, changes]).toMatchObject([[{ kind: 'unchanged', version: 2 }], []]);
    }
  });

  it('keeps no dead letter of an unlogged rejection', () => {
    const { outcomes, rejections } = toOutcome(existing(), { changeType: 'CREATE', isUnlogged: true });
    expect([outcomes[0]?.kind, rejections]).toEqual(['rejected', []]);
  });

  it('updates a new entity without defaults', () => {
    const defaults = withDefaults({ browsePaths: '[]' });
    const { changes } = toOutcome(new History(), { changeType: 'UPDATE', ...defaults });
    expect(changes.map(({ aspectName }) => aspectName)).toEqual(['tagKey', 'status']);
  });

  it('restates the current value as a change without a new version', () => {
    const history = existing();
    const asItIs = withoutValue(record(A, 'status', '', { changeType: 'RESTATE' }));
    for (const again of [asItIs, record(A, 'status', '2', { changeType: 'RESTATE' })]) {
      const { changes, outcomes } = history.apply([again]);
      expect(changes).toMatchObject([{ kind: 'restate', version: 2, value: '2' }]);
      expect(outcomes).toMatchObject([{ kind: 'unchanged', version: 2, seq: changes[0]?.seq }]);
    }
    const [other] = history.apply([record(A, 'status', '3', { changeType: 'RESTATE' })]).changes;
    expect(other).toMatchObject({ kind: 'upsert', version: 3, value: '3' });
    expect(history.apply([{ ...asItIs, urn: B }]).outcomes[0]?.kind).toBe('rejected');
  });
});
