import type { AuditStamp } from '../entities/aspect';
import type { TimeRange } from '../entities/timeseries-value';
import type { SystemMetadata } from '../entities/system-metadata';

/**
 * What a change did. `upsert`: a new value. `delete`: the aspect is gone, or points of it. `restate`: nothing, the value is said once more so
 * that whoever follows the log looks at the entity again. `timeseriesValue`: a timeseries aspect got a point, which no version counts.
 */
export type ChangeKind = 'upsert' | 'delete' | 'restate' | 'timeseries';

/** One row of the change log. */
export interface ChangeRecord {
  readonly partition: number;
  /** Without gap or repeat within its partition, and in commit order. */
  readonly seq: number;
  readonly urn: string;
  readonly aspectName: string;
  readonly kind: ChangeKind;
  /** One more than the aspect's last, deletions included; of a restated value its own; of a point its moment, in epoch milliseconds. */
  readonly version: number;
  /** Canonical JSON text; absent for a deletion, and where the value was erased or a point replaced since. */
  readonly value?: string;
  /** Of a deletion that took points away: those within, of its aspect, or of all when the aspect is the entity's key. */
  readonly timestamps?: TimeRange;
  readonly systemMetadata: SystemMetadata;
  readonly created: AuditStamp;
}

/** Which aspect changed, without what it changed to: all that a reader needs who loads the entity anyway. */
export interface ChangeKey extends Pick<
  ChangeRecord,
  'partition' | 'seq' | 'urn' | 'aspectName' | 'version'
> {
  /** It wrote a point, so no aspect that has versions is another one now. */
  readonly isTimeseriesValue?: true;
}
