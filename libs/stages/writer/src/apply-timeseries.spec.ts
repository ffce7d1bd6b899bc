import { describe, expect, it } from '@jest/globals';
import { allSteps, isWithin, timeseriesValueId, type TimeRange } from '@stratalog/model';
import type {
  EntityState,
  NewChange,
  NewTimeseriesValue,
  TimeseriesRange,
  WriteSet,
  WriteSnapshot,
} from '@stratalog/ports';
import fc from 'fast-check';
import { toTimeseriesRanges } from './apply-timeseries';
import { listAccepted, type AcceptedRecord, type CheckedRecord } from './check-record';
import { decideWrites } from './decide-writes';
import { A, B, together } from './testing/history';

const SERIES = 'tagUsage';
const RULES = { stored: new Map(), fallback: { maxVersions: 2 } };
const key = { aspectName: 'tagKey', value: '{}' };

function record(urn: string, aspectName: string, more: Partial<AcceptedRecord>): AcceptedRecord {
  const { changeType = 'UPSERT' } = more;
  return {
    kind: 'accepted',
    urn,
    aspectName,
    changeType,
    systemMetadata: { runId: 'run-1' },
    actor: 'urn:li:corpuser:x',
    key,
    neighbours: () => [],
    defaults: () => [{ aspectName: 'browsePathsV2', value: '{"path":[]}' }],
    preconditions: {},
    position: { partition: 0, offset: 1 },
    proposal: { entityType: 'tag', urn, aspectName, changeType, actor: 'urn:li:corpuser:x' },
    ...more,
  };
}

function timeseriesValue(urn: string, timestampMs: number, value: string, valueKey = 'k'): AcceptedRecord {
  return record(urn, SERIES, { value, timeseriesValues: { identity: { timestampMs, valueKey } } });
}

function removal(urn: string, within: TimeRange = {}): AcceptedRecord {
  return record(urn, SERIES, { changeType: 'DELETE', timeseriesValues: { within } });
}

function entityRemoval(urn: string): AcceptedRecord {
  return record(urn, key.aspectName, { changeType: 'DELETE' });
}

/** A store with the state of its write sets only. */
class Store {
  readonly changes: NewChange[] = [];
  readonly timeseriesValues = new Map<string, NewTimeseriesValue>();
  /** Number of timeseries values that each deletion removed, by its sequence number. */
  readonly taken = new Map<number, number>();
  private readonly entities = new Map<string, EntityState>();
  private readonly aspects = new Map<string, string>();

  apply(records: readonly CheckedRecord[]): WriteSet {
    const writes = allSteps(
      decideWrites(records, this.snapshot(toTimeseriesRanges(listAccepted(records))), RULES),
    );
    // A timestamp is no version number, so it truncates nothing; only deletions have numbers.
    const deletions = writes.changes.filter(
      ({ kind, aspectName }) => kind === 'delete' && aspectName === SERIES,
    );
    for (const { aspectName, upTo } of writes.truncations ?? []) {
      if (aspectName === SERIES) expect(deletions.map(({ version }) => version)).toContain(upTo + 2);
    }
    for (const change of writes.changes) {
      expect(change.seq).toBe(this.changes.length + 1);
      this.changes.push(change);
      if (change.kind === 'timeseries') continue;
      this.entities.set(change.urn, { seq: change.seq, deleted: false });
      const ref = `${change.urn} ${change.aspectName}`;
      if (change.kind === 'delete') this.aspects.delete(ref);
      else this.aspects.set(ref, change.value ?? '');
    }
    for (const deletion of writes.timeseriesDeletions ?? []) {
      let taken = deletion.unstored;
      for (const [id, each] of this.timeseriesValues)
        if (holds(deletion, each) && this.timeseriesValues.delete(id)) taken++;
      if (taken > 0) this.taken.set(deletion.seq, taken);
    }
    for (const each of writes.timeseriesValues ?? [])
      this.timeseriesValues.set(timeseriesValueId(each), each);
    for (const { urn, seq } of writes.deletions) {
      if (this.entities.get(urn)?.seq === seq) this.entities.set(urn, { seq, deleted: true });
    }
    return writes;
  }

  get state(): readonly (readonly [string, string])[] {
    return [...this.timeseriesValues].map(([id, { value }]) => [id, value] as const).toSorted();
  }

  private snapshot(asked: readonly TimeseriesRange[]): WriteSnapshot {
    return {
      stamps: new Map([[0, 1_000]]),
      seqs: new Map([[0, this.changes.length]]),
      partitionOf: () => 0,
      entity: (urn) => this.entities.get(urn),
      aspect: ({ urn, aspectName }) => {
        const value = this.aspects.get(`${urn} ${aspectName}`);
        const stamp = { time: 1_000, actor: '' };
        const rest = { version: 1, created: stamp, aspectCreated: stamp, systemMetadata: {}, observed: {} };
        return value === undefined ? undefined : { ...rest, value, isValue: (text) => text === value };
      },
      lastVersion: () => 0,
      aspectNames: (urn) =>
        [...this.aspects.keys()].flatMap((ref) => (ref.startsWith(`${urn} `) ? ref.split(' ').slice(1) : [])),
      referenceValue: () => undefined,
      timeseriesValue: (ref) => {
        const stored = this.timeseriesValues.get(timeseriesValueId(ref));
        return stored === undefined
          ? undefined
          : { seq: stored.seq, isValue: (text) => text === stored.value };
      },
      nonEmptyRanges: asked.filter((span) =>
        [...this.timeseriesValues.values()].some((each) => holds(span, each)),
      ),
    };
  }
}

function holds({ urn, aspectName, within }: TimeseriesRange, each: NewTimeseriesValue): boolean {
  const isOfAspect = aspectName === undefined || aspectName === each.aspectName;
  return urn === each.urn && isOfAspect && isWithin(within, each.timestampMs);
}

const kindsOf = ({ changes }: WriteSet): readonly string[] =>
  changes.map(({ kind, aspectName, version }) => `${kind} ${aspectName} ${String(version)}`);

describe('a timeseries value', () => {
  it('creates the key aspect and the defaults of a new entity, then a change of its own', () => {
    const store = new Store();
    const writes = store.apply([timeseriesValue(A, 500, '{"n":1}'), timeseriesValue(A, 400, '{"n":2}')]);
    expect(kindsOf(writes)).toEqual([
      'upsert tagKey 1',
      'upsert browsePathsV2 1',
      `timeseries ${SERIES} 500`,
      `timeseries ${SERIES} 400`,
    ]);
    expect(writes.outcomes).toEqual([
      { kind: 'written', version: 0, partition: 0, seq: 3 },
      { kind: 'written', version: 0, partition: 0, seq: 4 },
    ]);
    expect(writes.changes.at(-1)?.value).toBeUndefined();
    expect(writes.timeseriesValues?.map(({ seq, value }) => [seq, value])).toEqual([
      [3, '{"n":1}'],
      [4, '{"n":2}'],
    ]);
  });

  it('is replaced by a value of the same identity, and kept by an equal one', () => {
    const store = new Store();
    store.apply([timeseriesValue(A, 500, '{"n":1}')]);
    expect(kindsOf(store.apply([timeseriesValue(A, 500, '{"n":2}')]))).toEqual([`timeseries ${SERIES} 500`]);
    const again = store.apply([
      timeseriesValue(A, 500, '{"n":2}'),
      timeseriesValue(A, 500, '{"n":2}', 'other'),
    ]);
    expect(again.outcomes.map(({ kind }) => kind)).toEqual(['unchanged', 'written']);
    expect(again.outcomes[0]).toMatchObject({ seq: 4 });
    expect(store.timeseriesValues.size).toBe(2);
  });

  it('is deleted with its entity, and a later one creates the entity again', () => {
    const store = new Store();
    store.apply([timeseriesValue(A, 500, '{"n":1}'), timeseriesValue(B, 500, '{"n":1}')]);
    const writes = store.apply([entityRemoval(A), timeseriesValue(A, 600, '{"n":2}')]);
    expect(writes.timeseriesDeletions).toEqual([{ urn: A, within: {}, partition: 0, seq: 8, unstored: 0 }]);
    expect([...store.taken]).toEqual([[8, 1]]);
    expect(kindsOf(writes).slice(-3)).toEqual([
      'upsert tagKey 2',
      'upsert browsePathsV2 2',
      `timeseries ${SERIES} 600`,
    ]);
    expect(store.state.map(([id]) => id.split('\n')[2])).toEqual(['600', '500']);
  });

  it('that its own batch deletes is never stored', () => {
    const store = new Store();
    const writes = store.apply([
      timeseriesValue(A, 500, '{"n":1}'),
      timeseriesValue(A, 900, '{"n":1}'),
      removal(A, { endMs: 600 }),
      removal(A, { endMs: 600 }),
    ]);
    expect(writes.outcomes.map(({ kind }) => kind)).toEqual(['written', 'written', 'written', 'unchanged']);
    expect(store.state).toHaveLength(1);
    expect([...store.taken.values()]).toEqual([1]);
  });

  it('that was deleted leaves nothing for a wider range of the same batch', () => {
    const store = new Store();
    store.apply([timeseriesValue(A, 500, '{"n":1}'), timeseriesValue(A, 900, '{"n":1}')]);
    const ranges = [{ startMs: 500, endMs: 500 }, { endMs: 899 }, { startMs: 400 }, {}];
    const writes = store.apply(ranges.map((within) => removal(A, within)));
    expect(writes.outcomes.map(({ kind }) => kind)).toEqual(['written', 'unchanged', 'written', 'unchanged']);
    expect([...store.taken.values()]).toEqual([1, 1]);
  });

  it('is counted once by its deletion, stored, replaced or never stored', () => {
    const store = new Store();
    store.apply([timeseriesValue(A, 500, '{"n":1}'), timeseriesValue(A, 900, '{"n":1}')]);
    store.apply([
      timeseriesValue(A, 500, '{"n":2}'),
      removal(A, { endMs: 600 }),
      timeseriesValue(A, 500, '{"n":3}'),
      timeseriesValue(A, 501, '{"n":3}'),
      removal(A, { endMs: 600 }),
      removal(A),
    ]);
    expect([...store.taken.values()]).toEqual([1, 2, 1]);
  });

  it('that a batch deletes counts as with single proposals', () => {
    const store = new Store();
    store.apply([timeseriesValue(A, 500, '{"n":1}')]);
    store.apply([
      timeseriesValue(A, 600, '{"n":1}'),
      together(timeseriesValue(A, 600, '{"n":2}'), timeseriesValue(A, 700, '{"n":1}'), removal(A)),
      timeseriesValue(A, 800, '{"n":1}'),
      removal(A),
    ]);
    expect([...store.taken.values()]).toEqual([3, 1]);
  });
});

describe('any log of timeseries values', () => {
  const urns = fc.constantFrom(A, B);
  const times = fc.integer({ min: 1, max: 6 });
  const records = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(urns, times, fc.constantFrom('1', '2'), fc.constantFrom('k', 'l')) },
    { weight: 2, arbitrary: fc.tuple(urns, times, times) },
    { weight: 1, arbitrary: fc.tuple(urns) },
  );
  const made = records.map((deps): AcceptedRecord => {
    if (deps.length === 1) return entityRemoval(deps[0]);
    if (deps.length === 3) return removal(deps[0], { startMs: deps[1], endMs: deps[2] });
    return timeseriesValue(...deps);
  });
  const logs = fc.array(made, { maxLength: 40 });

  it('gives the same state however it is cut into batches', () => {
    fc.assert(
      fc.property(logs, fc.integer({ min: 1, max: 7 }), (log, size) => {
        const [whole, pieces, batches] = [new Store(), new Store(), new Store()];
        whole.apply(log);
        const slices: (readonly AcceptedRecord[])[] = [];
        for (let from = 0; from < log.length; from += size) slices.push(log.slice(from, from + size));
        for (const slice of slices) pieces.apply(slice);
        batches.apply(slices.map((slice) => together(...slice)));
        for (const other of [pieces, batches]) {
          expect(other.state).toEqual(whole.state);
          expect(other.changes.map(({ kind, urn }) => [kind, urn])).toEqual(
            whole.changes.map(({ kind, urn }) => [kind, urn]),
          );
          expect([...other.taken]).toEqual([...whole.taken]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('leaves the last value of each identity that is not deleted later', () => {
    fc.assert(
      fc.property(logs, (log) => {
        const store = new Store();
        store.apply(log);
        const expected = new Map<string, string>();
        for (const { urn, aspectName, value = '', timeseriesValues } of log) {
          if (timeseriesValues !== undefined && 'identity' in timeseriesValues) {
            expected.set(timeseriesValueId({ urn, aspectName, ...timeseriesValues.identity }), value);
            continue;
          }
          const within = timeseriesValues?.within ?? {};
          for (const id of [...expected.keys()]) {
            const [of = '', , timeMs = ''] = id.split('\n');
            if (of === urn && isWithin(within, Number(timeMs))) expected.delete(id);
          }
        }
        expect(store.state).toEqual([...expected].toSorted());
      }),
    );
  });

  it('changes nothing when its last writes are repeated', () => {
    fc.assert(
      fc.property(logs, fc.uniqueArray(times, { minLength: 1 }), (log, moments) => {
        const store = new Store();
        const last = moments.map((timeMs) => timeseriesValue(A, timeMs, '3'));
        store.apply([...log, ...last]);
        const again = store.apply(last);
        expect([again.changes, again.timeseriesValues]).toEqual([[], []]);
      }),
    );
  });
});
