import type { SystemMetadata } from './system-metadata';
import type { TimeseriesValue } from './timeseries-value';

/** The time (epoch milliseconds) and the actor of a write. */
export interface AuditStamp {
  readonly time: number;
  readonly actor: string;
}

/** The latest value of one aspect of one entity. */
export interface StoredAspect {
  readonly name: string;
  /** Starts at 1 and grows by one with each change, deletions included. */
  readonly version: number;
  /** Canonical JSON text. */
  readonly value: string;
  readonly created: AuditStamp;
  /** Stamp of the first version, or of the first version after the last deletion. */
  readonly aspectCreated: AuditStamp;
  /** System metadata of the proposal that wrote this version. */
  readonly systemMetadata: SystemMetadata;
  /** System metadata that later proposals without a change refreshed (`lastObserved`, `runId`, `lastRunId`). */
  readonly observed: SystemMetadata;
}

/** One version of one aspect, latest or old. */
export interface AspectVersion {
  readonly version: number;
  readonly value: string;
  readonly created: AuditStamp;
  readonly systemMetadata: SystemMetadata;
}

/** An entity with the latest values of its aspects, read by one statement. */
export interface StoredEntity {
  readonly urn: string;
  /**
   * Last sequence number assigned to any aspect of the urn. Entries of indices have another version, because they hold more than its
   * aspects: the number of changes of the state that they were projected from.
   */
  readonly seq: number;
  /** True after a hard delete until the next write: the entity has no aspects, and this tombstone keeps its `seq`. */
  readonly deleted: boolean;
  readonly aspects: readonly StoredAspect[];
  /** The latest value of each timeseries aspect that the reader asked for and that has values. */
  readonly latestValues?: readonly LatestValue[];
}

/** The value of a timeseries aspect with the highest timestamp. */
export interface LatestValue extends Pick<TimeseriesValue, 'timestampMs' | 'seq' | 'value'> {
  readonly aspectName: string;
}

/** Formats the map key of one aspect of one entity. Neither urns nor aspect names contain a line break. */
export function aspectKey({
  urn,
  aspectName,
}: {
  readonly urn: string;
  readonly aspectName: string;
}): string {
  return `${urn}\n${aspectName}`;
}
