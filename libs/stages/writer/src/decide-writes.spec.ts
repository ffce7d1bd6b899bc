import { describe, expect, it } from '@jest/globals';
import { partitionOf, type ChangeRecord } from '@stratalog/domain';
import { allSteps } from '@stratalog/json';
import type { AspectPatch } from '@stratalog/registry';
import type { WriteSnapshot } from '@stratalog/ports';
import type { AcceptedRecord, CheckedRecord } from './check-record';
import { decideWrites } from './decide-writes';
import {
  A,
  B,
  History,
  PARTITIONS,
  RULES,
  STAMP,
  deletion,
  record,
  rejected,
  together,
  withDefaults,
  withoutValue,
} from './testing/history';

/** A patch whose value has five million characters, and one more each time. */
function largePatch(): AcceptedRecord {
  const patch: AspectPatch = function* (current = 'x'.repeat(5_000_000)) {
    yield;
    return { value: `${current}1` };
  };
  return { ...withoutValue(record(A, 'ownership', '', { changeType: 'PATCH' })), patch };
}

const named = (changes: readonly ChangeRecord[]) =>
  changes.map(({ urn, aspectName, version, value }) => [urn, aspectName, version, value]);
describe('decideWrites', () => {
  it('given a new entity with defaults, writes them between key and proposal, except the proposed one', () => {
    const defaults = withDefaults({ browsePaths: '["/a"]', status: 'default' });
    const { changes, outcomes } = new History().apply([
      record(A, 'status', '1', defaults),
      record(A, 'browsePaths', '["/b"]', defaults),
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

  it('writes default aspects that an entity lacks, whatever wrote the entity first', () => {
    const history = History.after([record(A, 'status', '1', { changeType: 'UPDATE' })]);
    const defaults = withDefaults({ browsePaths: '["/a"]', dataPlatformInstance: '{}' });
    const derived = record(A, 'ownership', '1', { ...defaults, preconditions: { keyVersion: 1 } });
    const update = record(A, 'ownership', '2', { ...defaults, changeType: 'UPDATE' });
    const { changes } = history.apply([derived, update, deletion(A, 'ownership')]);
    expect(named(changes).map(([, aspectName]) => aspectName)).toEqual([
      'ownership',
      'ownership',
      'ownership',
    ]);

    const unchanged = record(A, 'status', '1', defaults);
    const first = history.apply([unchanged]);
    expect(named(first.changes)).toEqual([
      [A, 'browsePaths', 1, '["/a"]'],
      [A, 'dataPlatformInstance', 1, '{}'],
    ]);
    expect(first.outcomes).toMatchObject([{ kind: 'unchanged', version: 1, seq: 7 }]);
    expect(history.apply([unchanged, deletion(A, 'browsePaths')]).changes).toHaveLength(1);
    expect(
      named(history.apply([together(unchanged, record(A, 'browsePaths', '[]', defaults))]).changes),
    ).toEqual([[A, 'browsePaths', 3, '[]']]);
  });

  it('given many patches of a large value, leaves those beyond one commit, and all behind them in their partition', () => {
    const elsewhere = record(B, 'status', '1', { position: { partition: 1, offset: 1 } });
    const records = [...Array.from({ length: 6 }, largePatch), record(A, 'status', '1'), elsewhere];
    const history = new History();
    const pieces: number[] = [];
    for (let left: readonly CheckedRecord[] = records; left.length > 0;) {
      const writes = history.apply(left);
      pieces.push(writes.outcomes.length);
      left = left.filter((each) => writes.left.has(each));
      expect(history.aspect(B, 'status')).toMatchObject({ version: 1 });
    }
    expect(pieces).toEqual([3, 1, 1, 1, 2]);
    expect(history.aspect(A, 'ownership')).toMatchObject({ version: 6 });
    expect(history.aspect(A, 'ownership')?.value).toHaveLength(5_000_006);
  });

  it('given patches whose order is that of their urns, leaves only those that name the same urns, and no light one', () => {
    const byUrn = { isOrderedByUrn: true };
    const light = (urn: string): AcceptedRecord => ({
      ...largePatch(),
      urn,
      aspectName: 'status',
      ...byUrn,
    });
    const history = History.after([{ ...largePatch(), ...byUrn }]);
    const heavy = Array.from({ length: 3 }, () => ({ ...largePatch(), ...byUrn }));
    const behind = record(A, 'status', '1', byUrn);
    const { left, outcomes } = history.apply([...heavy, behind, light(B)]);
    expect([...left]).toEqual([...heavy.slice(1), behind]);
    expect(outcomes).toMatchObject([{ version: 2 }, { version: 1 }]);
  });

  it('given a batch with more patches of a large value than a transaction takes, rejects all of it', () => {
    const history = new History();
    const records = [together(...Array.from({ length: 20 }, largePatch)), record(B, 'status', '1')];
    const { changes, outcomes, rejections } = history.apply(records);
    const reason = expect.stringContaining(
      '/proposals/7 :: The patches of the batch read and write more than',
    );
    expect(outcomes).toEqual([{ kind: 'rejected', reason }, expect.objectContaining({ kind: 'written' })]);
    expect(named(changes).filter(([urn]) => urn !== B)).toEqual([]);
    expect(rejections).toHaveLength(1);
    expect(history.apply([together(...Array.from({ length: 5 }, largePatch))]).outcomes).toMatchObject([
      { kind: 'batch' },
    ]);
  });

  it('given defaults that depend on another entity, sees the earlier writes of the batch to it', () => {
    const neighbour = { urn: A, aspectName: 'status' };
    const neighbours = () => [neighbour];
    const defaults = withDefaults({ browsePaths: (valueOf) => valueOf(neighbour) ?? 'none' });
    const dependent = record(B, 'ownership', '2', { neighbours, ...defaults });
    const writtenFor = (...batches: (readonly CheckedRecord[])[]) =>
      History.after(...batches).aspect(B, 'browsePaths')?.value;

    expect(writtenFor([dependent], [record(A, 'status', '1')])).toBe('none');
    expect(writtenFor([record(A, 'status', '1')], [dependent])).toBe('1');
    expect(writtenFor([record(A, 'status', '1'), dependent])).toBe('1');
    expect(writtenFor([record(A, 'status', '0')], [record(A, 'status', '1'), dependent])).toBe('1');
  });

  it('given only the key of a new entity, writes the defaults too and returns the last number', () => {
    const { changes, outcomes } = new History().apply([
      record(A, 'tagKey', '', withDefaults({ status: '1' })),
    ]);
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
        kind: 'upsert',
      },
      expect.objectContaining({ partition, seq: 2, aspectName: 'status', version: 1, value: '1' }),
    ]);
    expect(outcomes).toEqual([{ kind: 'written', version: 1, partition, seq: 2 }]);
  });

  it('given a new entity and a proposal for its key aspect, writes the key once', () => {
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

  it('given the same value, refreshes the provenance and returns the urn’s last number', () => {
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

  it('refreshes an aspect once per batch, by the last record, and names the previous run', () => {
    const history = History.after([record(A, 'status', '1')]);
    const runs = ['run-2', 'run-3'].map((runId) => record(A, 'status', '1', { systemMetadata: { runId } }));
    expect(history.apply(runs).refreshes).toEqual([
      { urn: A, aspectName: 'status', observed: { runId: 'run-3', lastRunId: 'run-2' } },
    ]);
  });

  it('writes no refresh without a change', () => {
    const history = History.after([record(A, 'status', '1')], [record(A, 'status', '1')]);
    expect(history.apply([record(A, 'status', '1')]).refreshes).toEqual([]);
  });

  it('drops a refresh when the value changes after it', () => {
    const history = History.after([record(A, 'status', '1')]);
    const { refreshes, changes } = history.apply([
      record(A, 'status', '1', { systemMetadata: { runId: 'run-2' } }),
      record(A, 'status', '2', { systemMetadata: { runId: 'run-3' } }),
    ]);
    expect(refreshes).toEqual([]);
    expect(changes.map(({ systemMetadata }) => systemMetadata)).toEqual([{ runId: 'run-3' }]);
    expect(history.aspect(A, 'status')?.observed).toEqual({});
  });

  it('gives a run without id the reserved one', () => {
    const history = History.after([record(A, 'status', '1', { systemMetadata: {} })]);
    history.apply([record(A, 'status', '1', { systemMetadata: { lastObserved: 9 } })]);
    expect(history.aspect(A, 'status')?.observed).toEqual({
      lastObserved: 9,
      runId: 'no-run-id-provided',
      lastRunId: 'no-run-id-provided',
    });
  });

  it('keeps a rejected record as a dead letter and continues', () => {
    const writes = new History().apply([rejected, record(A, 'status', '1'), rejected]);
    expect(writes.rejections).toEqual([rejected, rejected]);
    expect(writes.outcomes).toEqual([
      { kind: 'rejected', reason: 'because' },
      expect.objectContaining({ kind: 'written', version: 1 }),
      { kind: 'rejected', reason: 'because' },
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
      entity: () => undefined,
      aspect: () => undefined,
      lastVersion: () => 0,
      isMissing: () => true,
      aspectNames: () => [],
      timeseriesValue: () => undefined,
      nonEmptyRanges: [],
      referenceValue: () => undefined,
    };
    const records = [record(A, 'status', '1'), record(B, 'status', '1')];
    const { changes } = allSteps(decideWrites(records, snapshot, RULES));
    expect(changes.map(({ partition, seq, created }) => [partition, seq, created.time])).toEqual([
      [0, 1, 10],
      [0, 2, 10],
      [1, 42, 20],
      [1, 43, 20],
    ]);
  });

  describe('given a batch', () => {
    it('writes all of it, each record seeing those before, with one outcome each', () => {
      const history = new History();
      const { changes, outcomes, deletions } = history.apply([
        record(A, 'status', '0'),
        together(
          record(A, 'status', '1'),
          record(B, 'status', '2'),
          deletion(A, 'tagKey'),
          record(A, 'status', '3'),
        ),
      ]);
      expect(named(changes).map(([urn, name, version]) => [urn, name, version])).toEqual([
        [A, 'tagKey', 1],
        [A, 'status', 1],
        [A, 'status', 2],
        [B, 'tagKey', 1],
        [B, 'status', 1],
        [A, 'status', 3],
        [A, 'tagKey', 2],
        [A, 'tagKey', 3],
        [A, 'status', 4],
      ]);
      expect(deletions).toHaveLength(1);
      expect(outcomes[1]).toMatchObject({
        kind: 'batch',
        outcomes: [{ version: 2 }, { version: 1 }, { version: 2 }, { version: 4 }],
      });
    });

    it('rejects all of it for one record, names its index, and changes nothing', () => {
      const history = History.after([record(A, 'status', '1')]);
      const conflict = record(A, 'status', '3', { preconditions: { version: 7 } });
      const { outcomes, ...writes } = history.apply([
        together(record(A, 'status', '2'), record(B, 'status', '2'), conflict),
        record(A, 'status', '1', { systemMetadata: { runId: 'run-1' } }),
      ]);
      expect(outcomes[0]).toEqual({
        kind: 'rejected',
        reason: `/proposals/2 :: Expected version 7, actual version 2 of aspect status of ${A}`,
      });
      expect(outcomes[1]).toMatchObject({ kind: 'unchanged', version: 1 });
      expect(writes).toMatchObject({
        changes: [],
        deletions: [],
        rejections: [{ reason: expect.any(String) }],
      });
    });

    it("creates a new entity with the batch's aspects instead of defaults", () => {
      const defaults = withDefaults({ browsePaths: 'default', other: 'default' });
      const creation = (name: string) => record(A, name, '1', { ...defaults, changeType: 'CREATE_ENTITY' });
      const { changes, outcomes } = new History().apply([
        together(creation('status'), creation('browsePaths')),
      ]);
      expect(outcomes).toMatchObject([{ kind: 'batch' }]);
      expect(changes.map(({ aspectName, value }) => [aspectName, value]).slice(1)).toEqual([
        ['other', 'default'],
        ['status', '1'],
        ['browsePaths', '1'],
      ]);
    });
  });
});
