import { describe, expect, it } from '@jest/globals';
import type { WriteOutcome } from '@stratalog/domain';
import type { AspectPatch } from '@stratalog/registry';
import fc from 'fast-check';
import { listAccepted, type CheckedRecord } from './check-record';
import { A, B, History, STAMP, deletion, record, rejected, together, withoutValue } from './testing/history';

describe('decideWrites, given any log', () => {
  const urns = fc.constantFrom(A, B, 'urn:li:tag:c', 'urn:li:tag:d');
  const aspectNames = fc.constantFrom('status', 'ownership', 'tagKey');
  const anyRecord: fc.Arbitrary<CheckedRecord> = fc.oneof(
    {
      weight: 9,
      arbitrary: fc
        .record({
          urn: urns,
          aspectName: aspectNames,
          value: fc.constantFrom('1', '2', '3'),
          runId: fc.constantFrom('run-1', 'run-2'),
        })
        .map(({ urn, aspectName, value, runId }) =>
          record(urn, aspectName, value, { systemMetadata: { runId } }),
        ),
    },
    { weight: 3, arbitrary: fc.tuple(urns, aspectNames).map(([urn, name]) => deletion(urn, name)) },
    { weight: 1, arbitrary: fc.constant(rejected) },
  );
  const log = fc.array(anyRecord, { maxLength: 60 });

  const conditional: fc.Arbitrary<CheckedRecord> = fc
    .record({
      urn: urns,
      aspectName: aspectNames,
      value: fc.constantFrom('1', '2', '3'),
      changeType: fc.constantFrom('UPSERT', 'CREATE', 'CREATE_ENTITY', 'UPDATE', 'DELETE'),
      preconditions: fc.oneof(
        fc.constant({}),
        fc.record({ version: fc.constantFrom(-1, 1, 2, 3) }),
        fc.record({ modifiedSinceMs: fc.constantFrom(STAMP - 1, STAMP) }),
        fc.record({ unmodifiedSinceMs: fc.constantFrom(STAMP - 1, STAMP) }),
        fc.constant({ passesOverExisting: true }),
      ),
    })
    .map(({ urn, aspectName, value, ...more }) => record(urn, aspectName, value, more));
  const restated = fc
    .tuple(urns, aspectNames, fc.constantFrom('1', '2', undefined))
    .map(([urn, name, value]): CheckedRecord => {
      const sent = record(urn, name, value ?? '', { changeType: 'RESTATE' });
      return value === undefined ? withoutValue(sent) : sent;
    });
  const patching = fc.tuple(urns, aspectNames).map(([urn, name]): CheckedRecord => {
    const patch: AspectPatch = function* (current = '0') {
      yield;
      return current === '3'
        ? { rejection: 'enough' }
        : { value: String(Number(current.replace(/\D/g, '')) + 1) };
    };
    return name === 'tagKey'
      ? rejected
      : { ...withoutValue(record(urn, name, '', { changeType: 'PATCH' })), patch };
  });
  const single = fc.oneof(anyRecord, conditional, restated, patching);
  const batched = fc
    .array(single, { minLength: 1, maxLength: 5 })
    .map((records) => together(...listAccepted(records)));
  const ofAnyType = fc.oneof(single, batched);
  const logOfAnyType = fc.array(fc.oneof(anyRecord, conditional), { maxLength: 60 });
  const batchesOfAnyType = fc.array(fc.array(ofAnyType, { maxLength: 8 }), { maxLength: 10 });

  it('ends with the last value of each aspect that neither it nor its entity lost to a later deletion', () => {
    fc.assert(
      fc.property(log, (records) => {
        const last = new Map<string, string | undefined>();
        for (const each of records) {
          if (each.kind !== 'accepted') continue;
          const key = `${each.urn} ${each.aspectName}`;
          if (each.changeType === 'DELETE' && each.aspectName === 'tagKey') {
            for (const name of ['status', 'ownership']) last.set(`${each.urn} ${name}`, undefined);
          }
          last.set(key, each.changeType === 'DELETE' ? undefined : each.value);
        }
        const { state } = History.after(records);
        for (const [key, value] of last) {
          if (key.endsWith(' tagKey')) continue;
          expect(state.get(key)?.value).toBe(value);
        }
      }),
    );
  });

  it('gives the same history however the log is cut into batches', () => {
    fc.assert(
      fc.property(batchesOfAnyType, (cut) => {
        const whole = History.after(cut.flat());
        const pieces = History.after(...cut);
        expect(pieces.changes).toEqual(whole.changes);
        expect(pieces.state).toEqual(whole.state);
        expect(pieces.entityStates).toEqual(whole.entityStates);
        expect(pieces.truncations).toEqual(whole.truncations);
      }),
    );
  });

  it('numbers versions and changes without gap or repeat', () => {
    fc.assert(
      fc.property(batchesOfAnyType, (cut) => {
        const { changes } = History.after(...cut);
        const versions = new Map<string, number>();
        const seqs = new Map<number, number>();
        for (const { urn, aspectName, kind, version, partition, seq } of changes) {
          const key = `${urn} ${aspectName}`;
          expect(version).toBe((versions.get(key) ?? 0) + (kind === 'restate' ? 0 : 1));
          expect(seq).toBe((seqs.get(partition) ?? 0) + 1);
          versions.set(key, version);
          seqs.set(partition, seq);
        }
      }),
    );
  });

  it('gives every entity with an aspect a key aspect, and a deleted entity none', () => {
    fc.assert(
      fc.property(batchesOfAnyType, (cut) => {
        const history = History.after(...cut);
        for (const [urn, { deleted }] of history.entityStates) {
          const names = [...history.state.keys()].filter((key) => key.startsWith(`${urn} `));
          expect(names.includes(`${urn} tagKey`)).toBe(!deleted);
          if (deleted) expect(names).toEqual([]);
        }
      }),
    );
  });

  it('never numbers an unchanged value, nor a deletion of an absent aspect', () => {
    fc.assert(
      fc.property(logOfAnyType, (records) => {
        const values = new Map<string, string | undefined>();
        for (const { urn, aspectName, value } of History.after(records).changes) {
          expect(values.get(`${urn} ${aspectName}`)).not.toBe(value);
          values.set(`${urn} ${aspectName}`, value);
        }
      }),
    );
  });

  it('makes the same history from a log with every record doubled', () => {
    fc.assert(
      fc.property(logOfAnyType, (records) => {
        const once = History.after(records);
        const twice = History.after(records.flatMap((each) => [each, each]));
        expect(twice.changes).toEqual(once.changes);
      }),
    );
  });

  it('has one outcome per record, and every written version exists', () => {
    fc.assert(
      fc.property(log, (records) => {
        const { changes, outcomes } = new History().apply(records);
        expect(outcomes).toHaveLength(records.length);
        outcomes.forEach((outcome: WriteOutcome, at) => {
          const own = records[at];
          if (own?.kind !== 'accepted') {
            expect(outcome).toEqual({ kind: 'rejected', reason: 'because' });
          } else if (outcome.kind === 'written') {
            const { urn, aspectName } = own;
            const { version, partition } = outcome;
            expect(changes).toContainEqual(expect.objectContaining({ urn, aspectName, version, partition }));
          } else {
            expect(outcome.kind).toBe('unchanged');
          }
        });
      }),
    );
  });

  it('truncates versions beyond the policy of a growing history, once per aspect', () => {
    const history = new History();
    const first = history.apply([record(A, 'status', '1'), record(A, 'status', '2')]);
    expect(first.truncations).toEqual([]);
    const values = ['3', '4', '4'].map((value) => record(A, 'status', value));
    const { truncations } = history.apply([...values, record(A, 'owner', '1'), record(A, 'owner', '2')]);
    expect(truncations).toEqual([
      { urn: A, aspectName: 'status', upTo: 2, beforeMs: Number.MAX_SAFE_INTEGER },
    ]);
  });
});
