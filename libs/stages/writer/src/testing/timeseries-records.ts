import { expect } from '@jest/globals';
import { isWithin, timeseriesValueId, type TimeRange } from '@stratalog/domain';
import { allSteps } from '@stratalog/json';
import type {
  EntityState,
  NewChange,
  NewTimeseriesValue,
  TimeseriesRange,
  WriteSet,
  WriteSnapshot,
} from '@stratalog/ports';
import { toTimeseriesRanges } from '../apply-timeseries';
import { listAccepted, type AcceptedRecord, type CheckedRecord } from '../check-record';
import { decideWrites } from '../decide-writes';
import { withDefaults } from './history';

export const SERIES = 'tagUsage';
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
    ...withDefaults({ browsePathsV2: '{"path":[]}' }),
    preconditions: {},
    position: { partition: 0, offset: 1 },
    proposal: { entityType: 'tag', urn, aspectName, changeType, actor: 'urn:li:corpuser:x' },
    ...more,
  };
}

export function timeseriesValue(
  urn: string,
  timestampMs: number,
  value: string,
  valueKey = 'k',
): AcceptedRecord {
  return record(urn, SERIES, { value, timeseriesValues: { identity: { timestampMs, valueKey } } });
}

export function removal(urn: string, within: TimeRange = {}): AcceptedRecord {
  return record(urn, SERIES, { changeType: 'DELETE', timeseriesValues: { within } });
}

export function entityRemoval(urn: string): AcceptedRecord {
  return record(urn, key.aspectName, { changeType: 'DELETE' });
}

/** A store with the state of its write sets only. */
export class Store {
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
      isMissing: ({ urn, aspectName }) => !this.aspects.has(`${urn} ${aspectName}`),
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
