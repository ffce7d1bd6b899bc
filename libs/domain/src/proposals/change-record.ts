import type { AuditStamp } from '../entities/aspect';
import type { TimeRange } from '../entities/timeseries-value';
import type { SystemMetadata } from '../entities/system-metadata';
import type { ChangeType } from './proposal';

/**
 * The kind of a change. `upsert`: a new value. `delete`: the aspect, or some of its timeseries values, are deleted.
 * `restate`: no new value; the change makes consumers of the log read the entity again. `timeseries`: a timeseries
 * aspect got a value, which has no version.
 */
export type ChangeKind = 'upsert' | 'delete' | 'restate' | 'timeseries';

/** What consumers outside of the catalog are told a change was, by its kind. */
export const PUBLISHED_TYPES = {
  upsert: 'UPSERT',
  delete: 'DELETE',
  restate: 'RESTATE',
  timeseries: 'UPSERT',
} as const satisfies Readonly<Record<ChangeKind, ChangeType>>;

/** One row of the change log. */
export interface ChangeRecord {
  readonly partition: number;
  /** Consecutive within its partition, without gap or repeat, in commit order. */
  readonly seq: number;
  readonly urn: string;
  readonly aspectName: string;
  readonly kind: ChangeKind;
  /**
   * One more than the aspect's last version, deletions included. A restated value keeps its version. A timeseries
   * value has its `timestampMs` here.
   */
  readonly version: number;
  /**
   * Canonical JSON text. Absent for a deletion, for a purged value, and for a timeseries value that a later one
   * replaced.
   */
  readonly value?: string;
  /**
   * Set for a deletion of timeseries values: the range of the deleted values. It covers the aspect, or every aspect
   * when the aspect is the entity's key. A truncation or a rollback may leave values within the range.
   */
  readonly timestamps?: TimeRange;
  readonly systemMetadata: SystemMetadata;
  readonly created: AuditStamp;
}

/** Names the changed aspect without its value, for consumers that load the entity anyway. */
export interface ChangeKey extends Pick<
  ChangeRecord,
  'partition' | 'seq' | 'urn' | 'aspectName' | 'version' | 'timestamps'
> {
  /** True when the change wrote a timeseries value, so no versioned aspect changed. */
  readonly isTimeseriesValue?: true;
}
