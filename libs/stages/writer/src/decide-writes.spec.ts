import { describe, expect, it } from '@jest/globals';
import { partitionOf, type ChangeRecord, type StoredAspect, type WriteOutcome } from '@stratalog/model';
import type { WriteSet, WriteSnapshot } from '@stratalog/ports';
import type { ValueOf } from '@stratalog/registry';
import fc from 'fast-check';
import { decideWrites, type CheckedRecord } from './decide-writes';

type Accepted = Extract<CheckedRecord, { kind: 'accepted' }>;

const PARTITIONS = 3;
const A = 'urn:li:tag:a';
const B = 'urn:li:tag:b';
const STAMP = 1_000;

function record(urn: string, aspectName: string, value: string, more: Partial<Accepted> = {}): Accepted {
  const key = { aspectName: 'tagKey', value: `{"name":"${urn}"}` };
  return {
    kind: 'accepted',
    urn,
    aspectName,
    value: aspectName === key.aspectName ? key.value : value,
    systemMetadata: { lastObserved: 5, runId: 'run-1' },
    actor: 'urn:li:corpuser:x',
    key,
    neighbours: () => [],
    defaults: () => [],
    ...more,
  };
}

const refused: CheckedRecord = {
  kind: 'refused',
  reason: 'because',
  position: { partition: 0, offset: 7 },
  content: { bytes: new Uint8Array([1]) },
};

/** What a store holds once write sets have been applied to it: nothing but their replay. */
class History {
  readonly changes: ChangeRecord[] = [];
  private readonly aspects = new Map<string, StoredAspect>();

  static after(...batches: readonly (readonly CheckedRecord[])[]): History {
    const history = new History();
    for (const batch of batches) history.apply(batch);
    return history;
  }

  apply(records: readonly CheckedRecord[]): WriteSet {
    const writes = decideWrites(records, this.snapshot());
    for (const change of writes.changes) {
      const { urn, aspectName: name, version, value, created, systemMetadata } = change;
      this.changes.push(change);
      this.aspects.set(`${urn} ${name}`, { name, version, value, created, systemMetadata, observed: {} });
    }
    for (const { urn, aspectName, observed } of writes.refreshes) {
      const current = this.aspect(urn, aspectName);
      if (current === undefined) throw new Error(`${aspectName} of ${urn} was refreshed but is not there`);
      this.aspects.set(`${urn} ${aspectName}`, { ...current, observed });
    }
    return writes;
  }

  aspect(urn: string, aspectName: string): StoredAspect | undefined {
    return this.aspects.get(`${urn} ${aspectName}`);
  }

  get state(): ReadonlyMap<string, StoredAspect> {
    return this.aspects;
  }

  private snapshot(): WriteSnapshot {
    const seqs = new Map(this.changes.map(({ partition, seq }) => [partition, seq]));
    const entitySeqs = new Map(this.changes.map(({ urn, seq }) => [urn, seq]));
    return {
      stamps: new Map(Array.from({ length: PARTITIONS }, (_, partition) => [partition, STAMP])),
      seqs,
      partitionOf: (urn) => partitionOf(urn, PARTITIONS),
      entitySeq: (urn) => entitySeqs.get(urn),
      aspect: ({ urn, aspectName }) => {
        const aspect = this.aspect(urn, aspectName);
        return aspect === undefined ? undefined : { ...aspect, isValue: (text) => text === aspect.value };
      },
      looked: (ref) => this.aspect(ref.urn, ref.aspectName)?.value,
    };
  }
}

const named = (changes: readonly ChangeRecord[]) =>
  changes.map(({ urn, aspectName, version, value }) => [urn, aspectName, version, value]);

describe('decideWrites', () => {
  it('given a new entity with defaults, writes them between key and proposal, but not the proposed one', () => {
    const defaults = () => [
      { aspectName: 'browsePaths', value: '["/a"]' },
      { aspectName: 'status', value: 'default' },
    ];
    const { changes, outcomes } = new History().apply([
      record(A, 'status', '1', { defaults }),
      record(A, 'browsePaths', '["/b"]', { defaults }),
    ]);
    expect(named(changes).slice(1)).toEqual([
      [A, 'browsePaths', 1, '["/a"]'],
      [A, 'status', 1, '1'],
      [A, 'browsePaths', 2, '["/b"]'],
    ]);
    expect(outcomes).toMatchObject([
      { kind: 'written', version: 1, seq: 3 },
      { kind: 'written', version: 2, seq: 4 },
    ]);
  });

  it('given defaults that depend on another entity, sees what the batch has made of that one before', () => {
    const neighbour = { urn: A, aspectName: 'status' };
    const neighbours = () => [neighbour];
    const defaults = (valueOf: ValueOf) => [
      { aspectName: 'browsePaths', value: valueOf(neighbour) ?? 'none' },
    ];
    const dependent = record(B, 'ownership', '2', { neighbours, defaults });
    const writtenFor = (...batches: (readonly CheckedRecord[])[]) =>
      History.after(...batches).aspect(B, 'browsePaths')?.value;

    expect(writtenFor([dependent], [record(A, 'status', '1')])).toBe('none');
    expect(writtenFor([record(A, 'status', '1')], [dependent])).toBe('1');
    expect(writtenFor([record(A, 'status', '1'), dependent])).toBe('1');
    expect(writtenFor([record(A, 'status', '0')], [record(A, 'status', '1'), dependent])).toBe('1');
  });

  it('given only the key of a new entity, writes the defaults too and tells the last number', () => {
    const defaults = () => [{ aspectName: 'status', value: '1' }];
    const { changes, outcomes } = new History().apply([record(A, 'tagKey', '', { defaults })]);
    expect(named(changes).map(([, aspectName]) => aspectName)).toEqual(['tagKey', 'status']);
    expect(outcomes).toMatchObject([{ kind: 'written', version: 1, seq: 2 }]);
  });

  it('given a new entity, writes its key aspect first, then the proposal', () => {
    const { changes, outcomes } = new History().apply([record(A, 'status', '1')]);
    const partition = partitionOf(A, PARTITIONS);
    expect(changes).toEqual([
      {
        partition,
        seq: 1,
        urn: A,
        aspectName: 'tagKey',
        version: 1,
        value: `{"name":"${A}"}`,
        systemMetadata: { lastObserved: 5, runId: 'run-1' },
        created: { time: STAMP, actor: 'urn:li:corpuser:x' },
      },
      expect.objectContaining({ partition, seq: 2, aspectName: 'status', version: 1, value: '1' }),
    ]);
    expect(outcomes).toEqual([{ kind: 'written', version: 1, partition, seq: 2 }]);
  });

  it('given a new entity and a proposal for its key aspect, writes that once', () => {
    const { changes, outcomes } = new History().apply([record(A, 'tagKey', ''), record(A, 'tagKey', '')]);
    expect(named(changes)).toEqual([[A, 'tagKey', 1, `{"name":"${A}"}`]]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['written', 'unchanged']);
  });

  it('given a stored value, numbers the next version', () => {
    const history = History.after([record(A, 'status', '1')], [record(A, 'status', '2')]);
    expect(named(history.changes)).toEqual([
      [A, 'tagKey', 1, `{"name":"${A}"}`],
      [A, 'status', 1, '1'],
      [A, 'status', 2, '2'],
    ]);
  });

  it('makes a version for each change within a batch, also back and forth', () => {
    const { outcomes } = new History().apply(['1', '2', '1', '1'].map((value) => record(A, 'status', value)));
    expect(outcomes.map((outcome) => ('version' in outcome ? [outcome.kind, outcome.version] : []))).toEqual([
      ['written', 1],
      ['written', 2],
      ['written', 3],
      ['unchanged', 3],
    ]);
  });

  it('given the same value, refreshes what was observed and answers the urn’s last number', () => {
    const history = History.after([record(A, 'status', '1'), record(A, 'other', '1')]);
    const again = record(A, 'status', '1', { systemMetadata: { lastObserved: 9, runId: 'run-2' } });
    const writes = history.apply([again]);
    expect(writes.changes).toEqual([]);
    expect(writes.refreshes).toEqual([
      { urn: A, aspectName: 'status', observed: { lastObserved: 9, runId: 'run-2', lastRunId: 'run-1' } },
    ]);
    expect(writes.outcomes).toEqual([
      { kind: 'unchanged', version: 1, partition: partitionOf(A, PARTITIONS), seq: 3 },
    ]);
  });

  it('refreshes an aspect once a batch, as the last record says, and names the run before', () => {
    const history = History.after([record(A, 'status', '1')]);
    const runs = ['run-2', 'run-3'].map((runId) => record(A, 'status', '1', { systemMetadata: { runId } }));
    expect(history.apply(runs).refreshes).toEqual([
      { urn: A, aspectName: 'status', observed: { runId: 'run-3', lastRunId: 'run-2' } },
    ]);
  });

  it('writes no refresh that changes nothing', () => {
    const history = History.after([record(A, 'status', '1')], [record(A, 'status', '1')]);
    expect(history.apply([record(A, 'status', '1')]).refreshes).toEqual([]);
  });

  it('forgets a refresh when the value changes after it', () => {
    const history = History.after([record(A, 'status', '1')]);
    const { refreshes, changes } = history.apply([
      record(A, 'status', '1', { systemMetadata: { runId: 'run-2' } }),
      record(A, 'status', '2', { systemMetadata: { runId: 'run-3' } }),
    ]);
    expect(refreshes).toEqual([]);
    expect(changes.map(({ systemMetadata }) => systemMetadata)).toEqual([{ runId: 'run-3' }]);
    expect(history.aspect(A, 'status')?.observed).toEqual({});
  });

  it('calls a run without name by the reserved one', () => {
    const history = History.after([record(A, 'status', '1', { systemMetadata: {} })]);
    history.apply([record(A, 'status', '1', { systemMetadata: { lastObserved: 9 } })]);
    expect(history.aspect(A, 'status')?.observed).toEqual({
      lastObserved: 9,
      runId: 'no-run-id-provided',
      lastRunId: 'no-run-id-provided',
    });
  });

  it('sets a refused record aside and goes on', () => {
    const writes = new History().apply([refused, record(A, 'status', '1'), refused]);
    expect(writes.refusals).toEqual([refused, refused]);
    expect(writes.outcomes).toEqual([
      { kind: 'refused', reason: 'because' },
      expect.objectContaining({ kind: 'written', version: 1 }),
      { kind: 'refused', reason: 'because' },
    ]);
  });

  it('stamps each change with the time of its partition', () => {
    const snapshot: WriteSnapshot = {
      stamps: new Map([
        [0, 10],
        [1, 20],
      ]),
      seqs: new Map([[1, 41]]),
      partitionOf: (urn) => (urn === A ? 0 : 1),
      entitySeq: () => undefined,
      aspect: () => undefined,
      looked: () => undefined,
    };
    const { changes } = decideWrites([record(A, 'status', '1'), record(B, 'status', '1')], snapshot);
    expect(changes.map(({ partition, seq, created }) => [partition, seq, created.time])).toEqual([
      [0, 1, 10],
      [0, 2, 10],
      [1, 42, 20],
      [1, 43, 20],
    ]);
  });
});

describe('any log', () => {
  const anyRecord: fc.Arbitrary<CheckedRecord> = fc.oneof(
    {
      weight: 9,
      arbitrary: fc
        .record({
          urn: fc.constantFrom(A, B, 'urn:li:tag:c', 'urn:li:tag:d'),
          aspectName: fc.constantFrom('status', 'ownership', 'tagKey'),
          value: fc.constantFrom('1', '2', '3'),
          runId: fc.constantFrom('run-1', 'run-2'),
        })
        .map(({ urn, aspectName, value, runId }) =>
          record(urn, aspectName, value, { systemMetadata: { runId } }),
        ),
    },
    { weight: 1, arbitrary: fc.constant(refused) },
  );
  const log = fc.array(anyRecord, { maxLength: 60 });
  const batches = fc.array(fc.array(anyRecord, { maxLength: 8 }), { maxLength: 10 });
  const accepted = (records: readonly CheckedRecord[]): Accepted[] =>
    records.flatMap((each) => (each.kind === 'accepted' ? [each] : []));

  it('ends in the last value of each aspect', () => {
    fc.assert(
      fc.property(log, (records) => {
        const history = History.after(records);
        const last = new Map(accepted(records).map((each) => [`${each.urn} ${each.aspectName}`, each.value]));
        for (const [key, value] of last) expect(history.state.get(key)?.value).toBe(value);
      }),
    );
  });

  it('gives the same history however it is cut into batches', () => {
    fc.assert(
      fc.property(batches, (cut) => {
        const whole = History.after(cut.flat());
        const pieces = History.after(...cut);
        expect(pieces.changes).toEqual(whole.changes);
        expect(pieces.state).toEqual(whole.state);
      }),
    );
  });

  it('numbers versions and changes without gap or repeat', () => {
    fc.assert(
      fc.property(batches, (cut) => {
        const { changes } = History.after(...cut);
        const versions = new Map<string, number>();
        const seqs = new Map<number, number>();
        for (const { urn, aspectName, version, partition, seq } of changes) {
          const key = `${urn} ${aspectName}`;
          expect(version).toBe((versions.get(key) ?? 0) + 1);
          expect(seq).toBe((seqs.get(partition) ?? 0) + 1);
          versions.set(key, version);
          seqs.set(partition, seq);
        }
      }),
    );
  });

  it('begins each entity with its key aspect, which never gets a second version', () => {
    fc.assert(
      fc.property(batches, (cut) => {
        const { changes } = History.after(...cut);
        for (const urn of new Set(changes.map((change) => change.urn))) {
          const own = changes.filter((change) => change.urn === urn);
          expect(own.map(({ aspectName }) => aspectName).indexOf('tagKey')).toBe(0);
          expect(own.filter(({ aspectName }) => aspectName === 'tagKey')).toHaveLength(1);
        }
      }),
    );
  });

  it('never numbers a value that was there already', () => {
    fc.assert(
      fc.property(log, (records) => {
        const values = new Map<string, string>();
        for (const { urn, aspectName, value } of History.after(records).changes) {
          expect(values.get(`${urn} ${aspectName}`)).not.toBe(value);
          values.set(`${urn} ${aspectName}`, value);
        }
      }),
    );
  });

  it('with each record twice makes the history of each record once', () => {
    fc.assert(
      fc.property(log, (records) => {
        const once = History.after(records);
        const twice = History.after(records.flatMap((each) => [each, each]));
        expect(twice.changes).toEqual(once.changes);
      }),
    );
  });

  it('has one outcome for each record, and what is called written is there', () => {
    fc.assert(
      fc.property(log, (records) => {
        const history = new History();
        const { changes, outcomes } = history.apply(records);
        expect(outcomes).toHaveLength(records.length);
        outcomes.forEach((outcome: WriteOutcome, at) => {
          const own = records[at];
          if (own?.kind !== 'accepted') {
            expect(outcome).toEqual({ kind: 'refused', reason: 'because' });
          } else if (outcome.kind === 'written') {
            expect(changes).toContainEqual(
              expect.objectContaining({
                urn: own.urn,
                aspectName: own.aspectName,
                version: outcome.version,
                partition: outcome.partition,
              }),
            );
          } else {
            expect(outcome.kind).toBe('unchanged');
          }
        });
      }),
    );
  });
});
