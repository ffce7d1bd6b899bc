import { describe, expect, it } from '@jest/globals';
import {
  partitionOf,
  type ChangeRecord,
  type Proposal,
  type StoredAspect,
  type WriteOutcome,
} from '@stratalog/model';
import type { EntityState, NewChange, WriteSet, WriteSnapshot } from '@stratalog/ports';
import type { ValueOf } from '@stratalog/registry';
import fc from 'fast-check';
import { acceptedIn, type AcceptedRecord, type CheckedRecord } from './checked-record';
import { decideWrites } from './decide-writes';

const PARTITIONS = 3;
const A = 'urn:li:tag:a';
const B = 'urn:li:tag:b';
const STAMP = 1_000;
const RULES = { stored: new Map([['tag,status', { maxVersions: 2 }]]), fallback: {} };

function record(
  urn: string,
  aspectName: string,
  value: string,
  more: Partial<AcceptedRecord> = {},
): AcceptedRecord {
  const key = { aspectName: 'tagKey', value: `{"name":"${urn}"}` };
  return {
    kind: 'accepted',
    urn,
    aspectName,
    changeType: 'UPSERT',
    value: aspectName === key.aspectName ? key.value : value,
    systemMetadata: { lastObserved: 5, runId: 'run-1' },
    actor: 'urn:li:corpuser:x',
    key,
    neighbours: () => [],
    defaults: () => [],
    preconditions: {},
    position: { partition: 0, offset: 1 },
    proposal: { entityType: 'tag', urn, aspectName, changeType: 'UPSERT', value, actor: 'urn:li:corpuser:x' },
    ...more,
  };
}

/** As it is checked: without a value, but none is read anyway. */
function deletion(urn: string, aspectName: string): AcceptedRecord {
  return record(urn, aspectName, '', { changeType: 'DELETE' });
}

function together(...records: readonly AcceptedRecord[]): CheckedRecord {
  const proposals = records.map(({ proposal }) => proposal) as [Proposal, ...Proposal[]];
  return { kind: 'batch', records, position: { partition: 0, offset: 3 }, batch: { proposals } };
}

function withoutValue(from: AcceptedRecord): AcceptedRecord {
  return Object.fromEntries(
    Object.entries(from).filter(([name]) => name !== 'value'),
  ) as unknown as AcceptedRecord;
}

const refused: CheckedRecord = {
  kind: 'refused',
  reason: 'because',
  position: { partition: 0, offset: 7 },
  content: { bytes: new Uint8Array([1]) },
};

/** What a store holds once write sets have been applied to it: nothing but their replay. */
class History {
  readonly changes: NewChange[] = [];
  private readonly entities = new Map<string, EntityState>();
  private readonly erased = new Map<string, number>();
  private readonly aspects = new Map<string, StoredAspect>();

  static after(...batches: readonly (readonly CheckedRecord[])[]): History {
    const history = new History();
    for (const batch of batches) history.apply(batch);
    return history;
  }

  apply(records: readonly CheckedRecord[]): WriteSet {
    const writes = decideWrites(records, this.snapshot(), RULES);
    for (const change of writes.changes) {
      const { urn, aspectName: name, version, value, created, begun = created, systemMetadata } = change;
      this.changes.push(change);
      this.entities.set(urn, { seq: change.seq, deleted: false });
      const key = `${urn} ${name}`;
      if (change.kind === 'delete') this.aspects.delete(key);
      if (change.kind !== 'upsert' || value === undefined) continue;
      this.aspects.set(key, { name, version, value, created, begun, systemMetadata, observed: {} });
    }
    for (const { urn, seq } of writes.deletions) {
      this.erased.set(urn, seq);
      if (this.entities.get(urn)?.seq === seq) this.entities.set(urn, { seq, deleted: true });
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

  get entityStates(): ReadonlyMap<string, EntityState> {
    return this.entities;
  }

  get erasures(): ReadonlyMap<string, number> {
    return this.erased;
  }

  private snapshot(): WriteSnapshot {
    const seqs = new Map(this.changes.map(({ partition, seq }) => [partition, seq]));
    return {
      stamps: new Map(Array.from({ length: PARTITIONS }, (_, partition) => [partition, STAMP])),
      seqs,
      partitionOf: (urn) => partitionOf(urn, PARTITIONS),
      entity: (urn) => this.entities.get(urn),
      lastVersion: (ref) =>
        this.changes.findLast(({ urn, aspectName }) => urn === ref.urn && aspectName === ref.aspectName)
          ?.version ?? 0,
      aspectNames: (urn) =>
        [...this.aspects].flatMap(([key, { name }]) => (key === `${urn} ${name}` ? [name] : [])),
      aspect: ({ urn, aspectName }) => {
        const aspect = this.aspect(urn, aspectName);
        return aspect === undefined ? undefined : { ...aspect, isValue: (text) => text === aspect.value };
      },
      point: () => undefined,
      holdsPoints: () => false,
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
        kind: 'upsert',
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
      entity: () => undefined,
      aspect: () => undefined,
      lastVersion: () => 0,
      aspectNames: () => [],
      point: () => undefined,
      holdsPoints: () => false,
      looked: () => undefined,
    };
    const { changes } = decideWrites([record(A, 'status', '1'), record(B, 'status', '1')], snapshot, RULES);
    expect(changes.map(({ partition, seq, created }) => [partition, seq, created.time])).toEqual([
      [0, 1, 10],
      [0, 2, 10],
      [1, 42, 20],
      [1, 43, 20],
    ]);
  });

  describe('given a deletion', () => {
    const kinds = (changes: readonly ChangeRecord[]) =>
      changes.map(({ aspectName, kind, version, value }) => [aspectName, kind, version, value]);

    it('of an aspect, numbers a change without value, and goes on from there', () => {
      const history = History.after([record(A, 'status', '1')], [record(A, 'status', '2')]);
      const { changes, outcomes } = history.apply([deletion(A, 'status')]);
      expect(kinds(changes)).toEqual([['status', 'delete', 3, undefined]]);
      expect(outcomes).toMatchObject([{ kind: 'written', version: 3, seq: 4 }]);
      expect(history.aspect(A, 'status')).toBeUndefined();

      expect(kinds(history.apply([record(A, 'status', '2')]).changes)).toEqual([
        ['status', 'upsert', 4, '2'],
      ]);
    });

    it('of the key aspect, deletes every aspect, the key last, and the entity', () => {
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

    it('lets a later proposal begin the entity anew, numbers going on', () => {
      const defaults = () => [{ aspectName: 'browsePaths', value: '[]' }];
      const again = record(A, 'status', '1', { defaults });
      const history = History.after([again], [deletion(A, 'tagKey')]);
      const { changes, outcomes } = history.apply([again]);
      expect(kinds(changes)).toEqual([
        ['tagKey', 'upsert', 3, `{"name":"${A}"}`],
        ['browsePaths', 'upsert', 3, '[]'],
        ['status', 'upsert', 3, '1'],
      ]);
      expect(outcomes).toMatchObject([{ kind: 'written', version: 3 }]);
    });

    it('of what is not there, changes nothing', () => {
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

    it('forgets what was observed before it', () => {
      const history = History.after([record(A, 'status', '1')]);
      const seen = record(A, 'status', '1', { systemMetadata: { runId: 'run-2' } });
      expect(history.apply([seen, deletion(A, 'status')]).refreshes).toEqual([]);
      expect(
        history.apply([deletion(A, 'status'), record(A, 'status', '1')]).changes[0]?.begun,
      ).toBeUndefined();
    });

    it('keeps when an aspect came to be as long as it is there', () => {
      const history = History.after([record(A, 'status', '1')]);
      const [second] = history.apply([record(A, 'status', '2')]).changes;
      expect(second?.begun).toEqual({ time: STAMP, actor: 'urn:li:corpuser:x' });
    });
  });

  describe('given conditions', () => {
    const outcomeOf = (history: History, more: Partial<AcceptedRecord>, urn = A) =>
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
    ])('asks for %s', (_, more, reason) => {
      const { outcomes, changes, refusals } = outcomeOf(existing(), more);
      if (reason === undefined) {
        expect(outcomes).toMatchObject([{ kind: 'written', version: 3 }]);
        return;
      }
      expect(outcomes).toEqual([{ kind: 'refused', reason: expect.stringContaining(reason) }]);
      expect(changes).toEqual([]);
      expect(refusals).toHaveLength(1);
    });

    it.each<[string, Partial<AcceptedRecord>, string | undefined]>([
      ['no version', { preconditions: { version: -1 } }, undefined],
      ['a version', { preconditions: { version: 1 } }, 'Expected version 1, actual version -1'],
      ['a time', { preconditions: { modifiedSinceMs: 0 } }, 'is not there'],
      ['no change', { preconditions: { unmodifiedSinceMs: 0 } }, undefined],
      ['that it is not there', { changeType: 'CREATE' }, undefined],
      ['no entity', { changeType: 'CREATE_ENTITY' }, undefined],
    ])('of an aspect that is not there asks for %s', (_, more, reason) => {
      const [outcome] = outcomeOf(existing(), more, B).outcomes;
      expect(outcome?.kind).toBe(reason === undefined ? 'written' : 'refused');
      if (outcome?.kind === 'refused') expect(outcome.reason).toContain(reason);
    });

    it('passes over what exists when that is asked for', () => {
      const preconditions = { passesOverExisting: true };
      for (const changeType of ['CREATE', 'CREATE_ENTITY'] as const) {
        const { outcomes, changes } = outcomeOf(existing(), { changeType, preconditions });
        expect([outcomes, changes]).toMatchObject([[{ kind: 'unchanged', version: 2 }], []]);
      }
    });

    it('keeps nothing of a refusal that nobody has logged', () => {
      const { outcomes, refusals } = outcomeOf(existing(), { changeType: 'CREATE', isUnlogged: true });
      expect([outcomes[0]?.kind, refusals]).toEqual(['refused', []]);
    });

    it('updates a new entity without defaults', () => {
      const defaults = () => [{ aspectName: 'browsePaths', value: '[]' }];
      const { changes } = outcomeOf(new History(), { changeType: 'UPDATE', defaults });
      expect(changes.map(({ aspectName }) => aspectName)).toEqual(['tagKey', 'status']);
    });

    it('restates what is there as a change without a new version', () => {
      const history = existing();
      const asItIs = withoutValue(record(A, 'status', '', { changeType: 'RESTATE' }));
      for (const again of [asItIs, record(A, 'status', '2', { changeType: 'RESTATE' })]) {
        const { changes, outcomes } = history.apply([again]);
        expect(changes).toMatchObject([{ kind: 'restate', version: 2, value: '2' }]);
        expect(outcomes).toMatchObject([{ kind: 'unchanged', version: 2, seq: changes[0]?.seq }]);
      }
      const [other] = history.apply([record(A, 'status', '3', { changeType: 'RESTATE' })]).changes;
      expect(other).toMatchObject({ kind: 'upsert', version: 3, value: '3' });
      expect(history.apply([{ ...asItIs, urn: B }]).outcomes[0]?.kind).toBe('refused');
    });
  });

  describe('given a batch', () => {
    it('writes all of it, each seeing those before, and answers for each', () => {
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

    it('refuses all of it for one, names that, and leaves no trace', () => {
      const history = History.after([record(A, 'status', '1')]);
      const conflict = record(A, 'status', '3', { preconditions: { version: 7 } });
      const { outcomes, ...writes } = history.apply([
        together(record(A, 'status', '2'), record(B, 'status', '2'), conflict),
        record(A, 'status', '1', { systemMetadata: { runId: 'run-1' } }),
      ]);
      expect(outcomes[0]).toEqual({
        kind: 'refused',
        reason: `/proposals/2 :: Expected version 7, actual version 2 of aspect status of ${A}`,
      });
      expect(outcomes[1]).toMatchObject({ kind: 'unchanged', version: 1 });
      expect(writes).toMatchObject({
        changes: [],
        deletions: [],
        refusals: [{ reason: expect.any(String) }],
      });
    });

    it('lets a new entity begin with what the batch brings instead of defaults', () => {
      const defaults = () => [
        { aspectName: 'browsePaths', value: 'default' },
        { aspectName: 'other', value: 'default' },
      ];
      const creation = (name: string) => record(A, name, '1', { defaults, changeType: 'CREATE_ENTITY' });
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

describe('any log', () => {
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
    { weight: 1, arbitrary: fc.constant(refused) },
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
    const patch = (current = '0') =>
      current === '3' ? { refusal: 'enough' } : { value: String(Number(current.replace(/\D/g, '')) + 1) };
    return name === 'tagKey'
      ? refused
      : { ...withoutValue(record(urn, name, '', { changeType: 'PATCH' })), patch };
  });
  const single = fc.oneof(anyRecord, conditional, restated, patching);
  const batched = fc
    .array(single, { minLength: 1, maxLength: 5 })
    .map((records) => together(...acceptedIn(records)));
  const ofAnyType = fc.oneof(single, batched);
  const logOfAnyType = fc.array(fc.oneof(anyRecord, conditional), { maxLength: 60 });
  const batchesOfAnyType = fc.array(fc.array(ofAnyType, { maxLength: 8 }), { maxLength: 10 });

  it('ends in the last value of each aspect, unless that or its entity was deleted after it', () => {
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

  it('gives the same history however it is cut into batches', () => {
    fc.assert(
      fc.property(batchesOfAnyType, (cut) => {
        const whole = History.after(cut.flat());
        const pieces = History.after(...cut);
        expect(pieces.changes).toEqual(whole.changes);
        expect(pieces.state).toEqual(whole.state);
        expect(pieces.entityStates).toEqual(whole.entityStates);
        expect(pieces.erasures).toEqual(whole.erasures);
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

  it('lets no entity have an aspect without its key aspect, and none that is deleted any', () => {
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

  it('never numbers a value that was there already, nor a deletion of what was not', () => {
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

  it('with each record twice makes the history of each record once', () => {
    fc.assert(
      fc.property(logOfAnyType, (records) => {
        const once = History.after(records);
        const twice = History.after(records.flatMap((each) => [each, each]));
        expect(twice.changes).toEqual(once.changes);
      }),
    );
  });

  it('has one outcome for each record, and what is called written is there', () => {
    fc.assert(
      fc.property(log, (records) => {
        const { changes, outcomes } = new History().apply(records);
        expect(outcomes).toHaveLength(records.length);
        outcomes.forEach((outcome: WriteOutcome, at) => {
          const own = records[at];
          if (own?.kind !== 'accepted') {
            expect(outcome).toEqual({ kind: 'refused', reason: 'because' });
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

  it('lets go of what is beyond the policy of a history that gets longer, once for an aspect', () => {
    const history = new History();
    const first = history.apply([record(A, 'status', '1'), record(A, 'status', '2')]);
    expect(first.erasures).toEqual([]);
    const values = ['3', '4', '4'].map((value) => record(A, 'status', value));
    const { erasures } = history.apply([...values, record(A, 'owner', '1'), record(A, 'owner', '2')]);
    expect(erasures).toEqual([{ urn: A, aspectName: 'status', upTo: 2, beforeMs: Number.MAX_SAFE_INTEGER }]);
  });
});
