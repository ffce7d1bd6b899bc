import type { SystemMetadata } from './system-metadata';

/** When a version came to be (epoch ms) and by whom. */
export interface AuditStamp {
  readonly time: number;
  readonly actor: string;
}

/** The latest value of one aspect of one entity. */
export interface StoredAspect {
  readonly name: string;
  /** 1 for the first value, one more for each change, deletions included. */
  readonly version: number;
  /** Canonical JSON text. */
  readonly value: string;
  readonly created: AuditStamp;
  /** When the aspect came to be: the stamp of the first version, or of the first since it was deleted. */
  readonly aspectCreated: AuditStamp;
  /** As the version's proposal brought it. */
  readonly systemMetadata: SystemMetadata;
  /** What later proposals that changed nothing refreshed (`lastObserved`, `runId`, `lastRunId`). */
  readonly observed: SystemMetadata;
}

/** One version of one aspect, latest or old. */
export interface AspectVersion {
  readonly version: number;
  readonly value: string;
  readonly created: AuditStamp;
  readonly systemMetadata: SystemMetadata;
}

/** An entity with the latest values of its aspects, as one statement read them. */
export interface StoredEntity {
  readonly urn: string;
  /** Last sequence number that any aspect of the urn got: the version of everything derived from it. */
  readonly seq: number;
  /** The whole entity was deleted and has not come back: it has no aspects, and the rest of it is to keep its place. */
  readonly deleted: boolean;
  readonly aspects: readonly StoredAspect[];
}

/** One text for an aspect of an entity, as a key of maps. Neither urns nor aspect names hold a line break. */
export function aspectKey({
  urn,
  aspectName,
}: {
  readonly urn: string;
  readonly aspectName: string;
}): string {
  return `${urn}\n${aspectName}`;
}
