import {
  NO_RUN_ID,
  aspectKey,
  formatDeadLetterId,
  type AuditStamp,
  type ChangeKind,
  type DeadLetterPlace,
  type SystemMetadata,
} from '@stratalog/domain';
import { forEachInSteps, type JsonValue, type Steps } from '@stratalog/json';
import type {
  AppliedReplay,
  AspectRef,
  EntityDeletion,
  EntityState,
  LatestAspect,
  NewChange,
  TimeseriesRange,
  Refresh,
  Rejection,
  WriteSnapshot,
} from '@stratalog/ports';
import { BatchTimeseries, allTimeseriesOf } from './batch-timeseries';

/** The target, the actor and the system metadata of a change. */
export interface Provenance extends AspectRef {
  readonly systemMetadata: SystemMetadata;
  readonly actor: string;
}

/** Latest state of an aspect within the batch; without `latest` after its deletion. */
interface Touched {
  readonly version: number;
  readonly latest?: LatestAspect & { readonly value: string };
}

/** The store's state with the changes of a batch so far. */
export class BatchState {
  readonly changes: NewChange[] = [];
  readonly deletions: EntityDeletion[] = [];
  readonly refreshes = new Map<string, Refresh>();
  readonly rejections: Rejection[] = [];
  readonly replays: AppliedReplay[] = [];
  readonly timeseriesValues: BatchTimeseries;
  /** Characters of values that patches read and wrote so far, which measures the cost of their records. */
  patchedCharacters = 0;
  private readonly seqs: Map<number, number>;
  private readonly entities = new Map<string, EntityState>();
  private readonly touched = new Map<string, Touched>();
  private readonly observed = new Map<string, LatestAspect>();
  /** Names of the touched aspects, by urn. */
  private readonly touchedNames = new Map<string, Set<string>>();

  constructor(
    readonly snapshot: WriteSnapshot,
    /** The aspects of one atomic batch of proposals; `snapshot` is then the state before it. */
    private readonly together?: ReadonlySet<string>,
  ) {
    this.seqs = new Map(snapshot.seqs);
    this.timeseriesValues = new BatchTimeseries(snapshot);
  }

  /** Creates a state on top of this one. Changes in the branch do not affect this state until {@link adopt}. */
  branch(refs: readonly AspectRef[]): BatchState {
    const base: WriteSnapshot = {
      seqs: this.seqs,
      stamps: this.snapshot.stamps,
      partitionOf: (urn) => this.snapshot.partitionOf(urn),
      entity: (urn) => this.entity(urn),
      aspect: (ref) => this.aspect(ref),
      lastVersion: (ref) => this.lastVersion(ref),
      isMissing: (ref) => this.isMissing(ref),
      aspectNames: (urn) => this.listAspectNames(urn),
      referenceValue: (ref) => this.readValue(ref),
      timeseriesValue: (ref) => this.timeseriesValues.at(ref),
      nonEmptyRanges: this.timeseriesValues.nonEmptyRanges,
    };
    return new BatchState(base, new Set(refs.map(aspectKey)));
  }

  /** Takes over the changes of a branch. A batch of ten thousand proposals has tens of thousands of changes. */
  *adopt(branch: BatchState): Steps<void> {
    yield* forEachInSteps(branch.changes, (change) => this.changes.push(change));
    this.deletions.push(...branch.deletions);
    this.timeseriesValues.adopt(branch.timeseriesValues);
    for (const [partition, seq] of branch.seqs) this.seqs.set(partition, seq);
    for (const [urn, entity] of branch.entities) this.entities.set(urn, entity);
    yield* forEachInSteps(branch.touched, ([key, touched]) => {
      this.touched.set(key, touched);
      this.observed.delete(key);
      this.refreshes.delete(key);
    });
    yield* forEachInSteps(branch.touchedNames, ([urn, names]) => {
      const known = this.touchedNames.get(urn);
      this.touchedNames.set(urn, known === undefined ? names : new Set([...known, ...names]));
    });
    yield* forEachInSteps(branch.observed, ([key, latest]) => this.observed.set(key, latest));
    yield* forEachInSteps(branch.refreshes, ([key, refresh]) => this.refreshes.set(key, refresh));
  }

  /** True while the dead letter is neither settled in the store nor by this batch. */
  isOpen(letter: DeadLetterPlace): boolean {
    const id = formatDeadLetterId(letter);
    if (this.snapshot.openLetters?.has(id) !== true) return false;
    return !this.replays.some((replay) => formatDeadLetterId(replay.letter) === id);
  }

  /** True when the same atomic batch proposes this aspect, before or after the current record. */
  isProposedTogether(ref: AspectRef): boolean {
    return this.together?.has(aspectKey(ref)) ?? false;
  }

  /** Returns the entity as it was before the atomic batch, or the current entity outside of one. */
  entityBeforeBatch(urn: string): EntityState | undefined {
    return this.together === undefined ? this.entity(urn) : this.snapshot.entity(urn);
  }

  entity(urn: string): EntityState | undefined {
    return this.entities.get(urn) ?? this.snapshot.entity(urn);
  }

  aspect(ref: AspectRef): LatestAspect | undefined {
    if (this.touched.size === 0 && this.observed.size === 0) return this.snapshot.aspect(ref);
    const key = aspectKey(ref);
    const touched = this.touched.get(key);
    return this.observed.get(key) ?? (touched === undefined ? this.snapshot.aspect(ref) : touched.latest);
  }

  /** True when an entity lacks a default aspect. Asked for every record, so it makes no key unless the batch wrote the aspect. */
  isMissing(ref: AspectRef): boolean {
    const isTouched = this.touchedNames.get(ref.urn)?.has(ref.aspectName) === true;
    return isTouched ? this.aspect(ref) === undefined : this.snapshot.isMissing(ref);
  }

  /**
   * Reads a value of another entity: the batch's own write, else the stored value. The result must not depend on how
   * requests are batched.
   */
  readValue(ref: AspectRef): string | undefined {
    const touched = this.touched.get(aspectKey(ref));
    return touched === undefined ? this.snapshot.referenceValue(ref) : touched.latest?.value;
  }

  /** Appends the next version of an aspect. */
  write(change: Provenance & { readonly value: string }): NewChange {
    const { value, systemMetadata } = change;
    const current = this.aspect(change);
    const aspectCreated = current?.aspectCreated;
    // An existing aspect carries its own last version; for an absent one a deletion may carry it.
    const written = this.append('upsert', change, (current?.version ?? this.lastVersion(change)) + 1, {
      value,
      ...(aspectCreated === undefined ? {} : { aspectCreated }),
    });
    const { version, created } = written;
    const isValue = (text: string): boolean => text === value;
    this.touch(change, {
      version,
      latest: {
        version,
        value,
        isValue,
        created,
        aspectCreated: aspectCreated ?? created,
        systemMetadata,
        observed: {},
      },
    });
    return written;
  }

  /** Appends a change without a new version that repeats the current value. */
  restate(change: Provenance & { readonly value: string }, current: LatestAspect): NewChange {
    return this.append('restate', change, current.version, { value: change.value });
  }

  /**
   * Appends a change for a timeseries value. It has no version, and everything derived from the entity's aspects
   * stays valid.
   */
  appendTimeseriesValue(change: Provenance, timestampMs: number): NewChange {
    return this.append('timeseries', change, timestampMs);
  }

  /** Deletes an existing aspect. */
  remove(change: Provenance): NewChange {
    const removed = this.append('delete', change, this.lastVersion(change) + 1);
    this.touch(change, { version: removed.version });
    return removed;
  }

  /** Deletes existing timeseries values. */
  deleteTimeseries(change: Provenance, range: TimeseriesRange): NewChange {
    const removed = this.remove(change);
    this.recordTimeseriesDeletion(removed, range);
    return removed;
  }

  /**
   * Hard-deletes an entity: deletes all aspects, the named one last, and erases their values and timeseries values.
   */
  removeAll(change: Provenance): NewChange {
    const names = this.listAspectNames(change.urn).filter((name) => name !== change.aspectName);
    for (const aspectName of names.sort()) this.remove({ ...change, aspectName });
    const last = this.remove(change);
    this.entities.set(change.urn, { seq: last.seq, deleted: true });
    this.deletions.push({ urn: change.urn, seq: last.seq });
    const timeseriesValues = allTimeseriesOf(change.urn);
    if (!this.timeseriesValues.isEmpty(timeseriesValues))
      this.recordTimeseriesDeletion(last, timeseriesValues);
    return last;
  }

  refresh(record: Provenance, current: LatestAspect): void {
    const observed = refreshObserved(current, record.systemMetadata);
    if (sameMembers(observed, current.observed)) return;
    this.observed.set(aspectKey(record), { ...current, observed });
    this.refreshes.set(aspectKey(record), { urn: record.urn, aspectName: record.aspectName, observed });
  }

  /** Commit time of the batch for the partition of the urn. **Units**: epoch milliseconds. */
  stampOf(urn: string): number {
    return this.snapshot.stamps.get(this.snapshot.partitionOf(urn)) ?? 0;
  }

  private recordTimeseriesDeletion({ partition, seq }: NewChange, range: TimeseriesRange): void {
    this.timeseriesValues.remove({ ...range, partition, seq, unstored: 0 });
  }

  private lastVersion(ref: AspectRef): number {
    return this.touched.get(aspectKey(ref))?.version ?? this.snapshot.lastVersion(ref);
  }

  private listAspectNames(urn: string): string[] {
    const touched = [...(this.touchedNames.get(urn) ?? [])];
    const names = new Set([...this.snapshot.aspectNames(urn), ...touched]);
    return [...names].filter((aspectName) => {
      const own = this.touched.get(aspectKey({ urn, aspectName }));
      return own === undefined || own.latest !== undefined;
    });
  }

  private touch(ref: AspectRef, touched: Touched): void {
    const key = aspectKey(ref);
    this.touched.set(key, touched);
    this.observed.delete(key);
    this.refreshes.delete(key);
    const names = this.touchedNames.get(ref.urn);
    if (names === undefined) this.touchedNames.set(ref.urn, new Set([ref.aspectName]));
    else names.add(ref.aspectName);
  }

  private append(
    kind: ChangeKind,
    { urn, aspectName, systemMetadata, actor }: Provenance,
    version: number,
    more: { readonly value?: string; readonly aspectCreated?: AuditStamp } = {},
  ): NewChange {
    const partition = this.snapshot.partitionOf(urn);
    const seq = (this.seqs.get(partition) ?? 0) + 1;
    const created = { time: this.stampOf(urn), actor };
    const change = { partition, seq, urn, aspectName, kind, version, systemMetadata, created, ...more };
    this.seqs.set(partition, seq);
    if (kind !== 'timeseries') this.entities.set(urn, { seq, deleted: false });
    this.changes.push(change);
    return change;
  }
}

/**
 * System metadata after an unchanged write: the run that observed the value, and as `lastRunId` the run before it.
 */
function refreshObserved(current: LatestAspect, incoming: SystemMetadata): SystemMetadata {
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
