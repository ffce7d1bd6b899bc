import {
  NO_RUN_ID,
  aspectKey,
  type AuditStamp,
  type ChangeKind,
  type JsonValue,
  type SystemMetadata,
} from '@stratalog/model';
import type {
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
import { BatchTimeseries, readAllTimeseries } from './batch-timeseries';

/** Who changes which aspect, and what the change says of its origin. */
export interface Provenance extends AspectRef {
  readonly systemMetadata: SystemMetadata;
  readonly actor: string;
}

/** An aspect as the batch has left it; without value when it was deleted. */
interface Touched {
  readonly version: number;
  readonly latest?: LatestAspect & { readonly value: string };
}

/** The store's state as the records of a batch have changed it so far. */
export class BatchState {
  readonly changes: NewChange[] = [];
  readonly deletions: EntityDeletion[] = [];
  readonly refreshes = new Map<string, Refresh>();
  readonly rejections: Rejection[] = [];
  readonly timeseriesValues: BatchTimeseries;
  /** How many characters of values patches have read and made so far: what their records cost. */
  patchedCharacters = 0;
  private readonly seqs: Map<number, number>;
  private readonly entities = new Map<string, EntityState>();
  private readonly touched = new Map<string, Touched>();
  private readonly observed = new Map<string, LatestAspect>();
  /** Names of the aspects that were touched, by urn. */
  private readonly touchedNames = new Map<string, Set<string>>();

  constructor(
    readonly snapshot: WriteSnapshot,
    /** The aspects that are proposed by one record, when that is a batch; `snapshot` is then what it finds. */
    private readonly together?: ReadonlySet<string>,
  ) {
    this.seqs = new Map(snapshot.seqs);
    this.timeseriesValues = new BatchTimeseries(snapshot);
  }

  /** A state beside this one, which sees it and leaves it as it is. */
  branch(refs: readonly AspectRef[]): BatchState {
    const seen: WriteSnapshot = {
      seqs: this.seqs,
      stamps: this.snapshot.stamps,
      partitionOf: (urn) => this.snapshot.partitionOf(urn),
      entity: (urn) => this.entity(urn),
      aspect: (ref) => this.aspect(ref),
      lastVersion: (ref) => this.lastVersion(ref),
      aspectNames: (urn) => this.namesOf(urn),
      referenceValue: (ref) => this.valueOf(ref),
      timeseriesValue: (ref) => this.timeseriesValues.at(ref),
      nonEmptyRanges: this.timeseriesValues.nonEmptyRanges,
    };
    return new BatchState(seen, new Set(refs.map(aspectKey)));
  }

  /** Takes over what was changed in a branch. */
  adopt(branch: BatchState): void {
    this.changes.push(...branch.changes);
    this.deletions.push(...branch.deletions);
    this.timeseriesValues.adopt(branch.timeseriesValues);
    for (const [partition, seq] of branch.seqs) this.seqs.set(partition, seq);
    for (const [urn, entity] of branch.entities) this.entities.set(urn, entity);
    for (const [key, touched] of branch.touched) {
      this.touched.set(key, touched);
      this.observed.delete(key);
      this.refreshes.delete(key);
    }
    for (const [urn, names] of branch.touchedNames) {
      this.touchedNames.set(urn, new Set([...(this.touchedNames.get(urn) ?? []), ...names]));
    }
    for (const [key, latest] of branch.observed) this.observed.set(key, latest);
    for (const [key, refresh] of branch.refreshes) this.refreshes.set(key, refresh);
  }

  /** The record brings the aspect itself, before or after. */
  isProposedToo(ref: AspectRef): boolean {
    return this.together?.has(aspectKey(ref)) ?? false;
  }

  /** What a record finds: the entity as it is, or as it was before the batch that the record belongs to. */
  entityFound(urn: string): EntityState | undefined {
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

  /** Of another entity: what this batch has made of it, else what it was. How requests are batched must not show. */
  valueOf(ref: AspectRef): string | undefined {
    const touched = this.touched.get(aspectKey(ref));
    return touched === undefined ? this.snapshot.referenceValue(ref) : touched.latest?.value;
  }

  /** The next version of an aspect. */
  write(change: Provenance & { readonly value: string }): NewChange {
    const { value, systemMetadata } = change;
    const current = this.aspect(change);
    const aspectCreated = current?.aspectCreated;
    // What is there has the last number; where nothing is, a deletion may.
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

  /** Says once more what is there. */
  restate(change: Provenance & { readonly value: string }, current: LatestAspect): NewChange {
    return this.append('restate', change, current.version, { value: change.value });
  }

  /** Numbers a point. It is no version, and what is derived from the entity's aspects is as before. */
  noteTimeseriesValue(change: Provenance, timestampMs: number): NewChange {
    return this.append('timeseries', change, timestampMs);
  }

  /** Takes an aspect away that is there. */
  remove(change: Provenance): NewChange {
    const removed = this.append('delete', change, this.lastVersion(change) + 1);
    this.touch(change, { version: removed.version });
    return removed;
  }

  /** Takes points away that are there. */
  deleteTimeseries(change: Provenance, span: TimeseriesRange): NewChange {
    const removed = this.remove(change);
    this.noteTimeseriesValuesGone(removed, span);
    return removed;
  }

  /** Takes all aspects of an entity away, the one that is named last. Its values and its points are erased, and it is as if it had never been. */
  removeAll(change: Provenance): NewChange {
    const names = this.namesOf(change.urn).filter((name) => name !== change.aspectName);
    for (const aspectName of names.sort()) this.remove({ ...change, aspectName });
    const last = this.remove(change);
    this.entities.set(change.urn, { seq: last.seq, deleted: true });
    this.deletions.push({ urn: change.urn, seq: last.seq });
    const timeseriesValues = readAllTimeseries(change.urn);
    if (!this.timeseriesValues.isEmpty(timeseriesValues))
      this.noteTimeseriesValuesGone(last, timeseriesValues);
    return last;
  }

  refresh(record: Provenance, current: LatestAspect): void {
    const observed = observedOf(current, record.systemMetadata);
    if (sameMembers(observed, current.observed)) return;
    this.observed.set(aspectKey(record), { ...current, observed });
    this.refreshes.set(aspectKey(record), { urn: record.urn, aspectName: record.aspectName, observed });
  }

  /** When the batch is applied, for the partition of the urn. */
  stampOf(urn: string): number {
    return this.snapshot.stamps.get(this.snapshot.partitionOf(urn)) ?? 0;
  }

  private noteTimeseriesValuesGone({ partition, seq }: NewChange, span: TimeseriesRange): void {
    this.timeseriesValues.remove({ ...span, partition, seq, unstored: 0 });
  }

  private lastVersion(ref: AspectRef): number {
    return this.touched.get(aspectKey(ref))?.version ?? this.snapshot.lastVersion(ref);
  }

  private namesOf(urn: string): string[] {
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
