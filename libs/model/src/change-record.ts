import type { AuditStamp } from './aspect';
import type { SystemMetadata } from './proposal';

/** One row of the change log: one numbered change of one aspect. */
export interface ChangeRecord {
  readonly partition: number;
  /** Without gap or repeat within its partition, and in commit order. */
  readonly seq: number;
  readonly urn: string;
  readonly entityType: string;
  readonly aspectName: string;
  readonly version: number;
  readonly kind: ChangeKind;
  /** Canonical JSON text; absent for a deletion or when retention erased it. */
  readonly value?: string;
  readonly systemMetadata: SystemMetadata;
  readonly created: AuditStamp;
}

/** `upsert`: the aspect has this value now. `delete`: it has none. */
export type ChangeKind = 'upsert' | 'delete';
