import {
  NO_RUN_ID,
  aspectKey,
  type ChangeRecord,
  type JsonValue,
  type SystemMetadata,
  type WriteOutcome,
} from '@stratalog/model';
import type { Neighbour, ValueOf } from '@stratalog/registry';
import type {
  AspectRef,
  LatestAspect,
  LogPosition,
  Refresh,
  Refusal,
  WriteSet,
  WriteSnapshot,
} from '@stratalog/ports';

/** A record of the proposal log, checked against the model. */
export type CheckedRecord =
  | {
      readonly kind: 'accepted';
      readonly urn: string;
      readonly aspectName: string;
      /** Canonical JSON text. */
      readonly value: string;
      readonly systemMetadata: SystemMetadata;
      readonly actor: string;
      /** What the urn's key aspect is called and holds: written with the first aspect of an entity. */
      readonly key: { readonly aspectName: string; readonly value: string };
      /** What the other entities are that the next member depends on. */
      readonly neighbours: () => readonly Neighbour[];
      /** The other aspects that a new entity gets, unless this record is one of them. */
      readonly defaults: (
        valueOf: ValueOf,
      ) => readonly { readonly aspectName: string; readonly value: string }[];
    }
  | {
      readonly kind: 'refused';
      readonly reason: string;
      /** Present when the reason may pass. */
      readonly code?: NonNullable<Refusal['code']>;
      /** True: it leaves nothing behind. */
      readonly isDropped?: boolean;
      readonly position: LogPosition;
      readonly content: Refusal['content'];
    };

type Accepted = Extract<CheckedRecord, { kind: 'accepted' }>;

/**
 * What a batch writes, given what the store holds: a pure function, so that the same log always gives the same history.
 *
 * Records are taken in log order, each seeing what those before it wrote. One whose value equals the stored one makes no
 * version; its provenance is refreshed instead. The first record of an entity brings the key aspect with it, then the default
 * aspects but the one that it is itself; what a later record says replaces them, in the same batch or another.
 */
export function decideWrites(records: readonly CheckedRecord[], snapshot: WriteSnapshot): WriteSet {
  const batch = new BatchState(snapshot);
  const outcomes = records.map((record): WriteOutcome => {
    if (record.kind === 'accepted') return applyRecord(batch, record);
    if (record.isDropped !== true) batch.refusals.push(record);
    return { kind: 'refused', reason: record.reason };
  });
  return {
    changes: batch.changes,
    refreshes: [...batch.refreshes.values()],
    refusals: batch.refusals,
    outcomes,
  };
}

function applyRecord(batch: BatchState, record: Accepted): WriteOutcome {
  const partition = batch.snapshot.partitionOf(record.urn);
  const isNewEntity = batch.entitySeq(record.urn) === undefined;
  if (isNewEntity) begin(batch, record);
  const current = batch.aspect(record);
  // The key aspect of a new entity has just been written, whatever the proposal brought for it.
  if (isNewEntity && record.aspectName === record.key.aspectName) {
    return { kind: 'written', version: 1, partition, seq: batch.entitySeq(record.urn) ?? 0 };
  }
  if (current?.isValue(record.value) === true) {
    batch.refresh(record, current);
    return { kind: 'unchanged', version: current.version, partition, seq: batch.entitySeq(record.urn) ?? 0 };
  }
  const change = batch.write(record);
  return { kind: 'written', version: change.version, partition, seq: change.seq };
}

/** Writes what a new entity has from its beginning. */
function begin(batch: BatchState, record: Accepted): void {
  for (const { aspectName, value } of [record.key, ...record.defaults((ref) => batch.valueOf(ref))]) {
    if (aspectName === record.aspectName && aspectName !== record.key.aspectName) continue;
    batch.write({ ...record, aspectName, value });
  }
}

/** The store's state as the records of the batch have changed it so far. */
class BatchState {
  readonly changes: ChangeRecord[] = [];
  readonly refreshes = new Map<string, Refresh>();
  readonly refusals: Refusal[] = [];
  private readonly seqs: Map<number, number>;
  private readonly entitySeqs = new Map<string, number>();
  private readonly aspects = new Map<string, LatestAspect>();
  private readonly values = new Map<string, string>();

  constructor(readonly snapshot: WriteSnapshot) {
    this.seqs = new Map(snapshot.seqs);
  }

  entitySeq(urn: string): number | undefined {
    return this.entitySeqs.get(urn) ?? this.snapshot.entitySeq(urn);
  }

  aspect(record: Accepted): LatestAspect | undefined {
    return this.aspects.get(aspectKey(record)) ?? this.snapshot.aspect(record);
  }

  /** Of another entity: what this batch has made of it, else what it was. How requests are batched must not show. */
  valueOf(ref: AspectRef): string | undefined {
    return this.values.get(aspectKey(ref)) ?? this.snapshot.looked(ref);
  }

  write(record: Accepted): ChangeRecord {
    const { urn, aspectName, value, systemMetadata } = record;
    const partition = this.snapshot.partitionOf(urn);
    const seq = (this.seqs.get(partition) ?? 0) + 1;
    const created = { time: this.snapshot.stamps.get(partition) ?? 0, actor: record.actor };
    const version = (this.aspect(record)?.version ?? 0) + 1;
    const change: ChangeRecord = { partition, seq, urn, aspectName, version, value, systemMetadata, created };
    this.seqs.set(partition, seq);
    this.entitySeqs.set(urn, seq);
    const isValue = (text: string): boolean => text === value;
    this.aspects.set(aspectKey(record), { version, isValue, created, systemMetadata, observed: {} });
    this.values.set(aspectKey(record), value);
    this.refreshes.delete(aspectKey(record));
    this.changes.push(change);
    return change;
  }

  refresh(record: Accepted, current: LatestAspect): void {
    const observed = observedOf(current, record.systemMetadata);
    if (sameMembers(observed, current.observed)) return;
    this.aspects.set(aspectKey(record), { ...current, observed });
    this.refreshes.set(aspectKey(record), { urn: record.urn, aspectName: record.aspectName, observed });
  }
}

/** What an unchanged write leaves behind: it was seen again, by this run, and before that by the run stored so far. */
function observedOf(current: LatestAspect, incoming: SystemMetadata): SystemMetadata {
  const runId = incoming.runId ?? NO_RUN_ID;
  const former = current.observed.runId ?? current.systemMetadata.runId ?? NO_RUN_ID;
  return {
    ...(incoming.lastObserved === undefined ? {} : { lastObserved: incoming.lastObserved }),
    lastRunId: former,
    runId,
  };
}

function sameMembers(a: SystemMetadata, b: SystemMetadata): boolean {
  const members: readonly [string, JsonValue][] = Object.entries(a);
  return members.length === Object.keys(b).length && members.every(([name, value]) => b[name] === value);
}
