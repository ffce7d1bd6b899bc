import { partitionOf, type Proposal, type StoredAspect } from '@stratalog/domain';
import { allSteps } from '@stratalog/json';
import type { EntityState, NewChange, WriteSnapshot } from '@stratalog/ports';
import type { ValueOf } from '@stratalog/registry';
import type { AcceptedRecord, CheckedRecord } from '../check-record';
import { decideWrites, type DecidedWrites } from '../decide-writes';

export const PARTITIONS = 3;
export const A = 'urn:li:tag:a';
export const B = 'urn:li:tag:b';
export const STAMP = 1_000;
export const RULES = { stored: new Map([['tag,status', { maxVersions: 2 }]]), fallback: {} };

export function record(
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
    defaultNames: () => [],
    defaults: () => [],
    preconditions: {},
    position: { partition: 0, offset: 1 },
    proposal: { entityType: 'tag', urn, aspectName, changeType: 'UPSERT', value, actor: 'urn:li:corpuser:x' },
    ...more,
  };
}

/** Default aspects of a record, which have these values. */
export function withDefaults(
  values: Readonly<Record<string, string | ((valueOf: ValueOf) => string)>>,
): Pick<AcceptedRecord, 'defaultNames' | 'defaults'> {
  return {
    defaultNames: () => Object.keys(values),
    defaults: ({ names, valueOf }) =>
      names.map((aspectName) => {
        const value = values[aspectName] ?? '';
        return { aspectName, value: typeof value === 'string' ? value : value(valueOf) };
      }),
  };
}

/** A deletion as the check returns it; the writer reads no value of it. */
export function deletion(urn: string, aspectName: string): AcceptedRecord {
  return record(urn, aspectName, '', { changeType: 'DELETE' });
}

export function together(...records: readonly AcceptedRecord[]): CheckedRecord {
  const proposals = records.map(({ proposal }) => proposal) as [Proposal, ...Proposal[]];
  return { kind: 'batch', records, position: { partition: 0, offset: 3 }, batch: { proposals } };
}

export function withoutValue(from: AcceptedRecord): AcceptedRecord {
  return Object.fromEntries(
    Object.entries(from).filter(([name]) => name !== 'value'),
  ) as unknown as AcceptedRecord;
}

export const rejected: CheckedRecord = {
  kind: 'rejected',
  reason: 'because',
  position: { partition: 0, offset: 7 },
  content: { bytes: new Uint8Array([1]) },
};

/** The state of a store after the replay of its write sets. */
export class History {
  readonly changes: NewChange[] = [];
  private readonly entities = new Map<string, EntityState>();
  private readonly deletedSeqs = new Map<string, number>();
  private readonly aspects = new Map<string, StoredAspect>();

  static after(...batches: readonly (readonly CheckedRecord[])[]): History {
    const history = new History();
    for (const batch of batches) history.apply(batch);
    return history;
  }

  apply(records: readonly CheckedRecord[]): DecidedWrites {
    const writes = allSteps(decideWrites(records, this.snapshot(), RULES));
    for (const change of writes.changes) {
      const {
        urn,
        aspectName: name,
        version,
        value,
        created,
        aspectCreated = created,
        systemMetadata,
      } = change;
      this.changes.push(change);
      this.entities.set(urn, { seq: change.seq, deleted: false });
      const key = `${urn} ${name}`;
      if (change.kind === 'delete') this.aspects.delete(key);
      if (change.kind !== 'upsert' || value === undefined) continue;
      this.aspects.set(key, { name, version, value, created, aspectCreated, systemMetadata, observed: {} });
    }
    for (const { urn, seq } of writes.deletions) {
      this.deletedSeqs.set(urn, seq);
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

  get truncations(): ReadonlyMap<string, number> {
    return this.deletedSeqs;
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
      isMissing: ({ urn, aspectName }) => this.aspect(urn, aspectName) === undefined,
      aspectNames: (urn) =>
        [...this.aspects].flatMap(([key, { name }]) => (key === `${urn} ${name}` ? [name] : [])),
      aspect: ({ urn, aspectName }) => {
        const aspect = this.aspect(urn, aspectName);
        return aspect === undefined ? undefined : { ...aspect, isValue: (text) => text === aspect.value };
      },
      timeseriesValue: () => undefined,
      nonEmptyRanges: [],
      referenceValue: (ref) => this.aspect(ref.urn, ref.aspectName)?.value,
    };
  }
}
