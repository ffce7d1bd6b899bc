import type { AuditStamp } from './aspect';
import type { SystemMetadata } from './proposal';

/** One row of the change log: one numbered new version of one aspect. */
export interface ChangeRecord {
  readonly partition: number;
  /** Without gap or repeat within its partition, and in commit order. */
  readonly seq: number;
  readonly urn: string;
  readonly aspectName: string;
  readonly version: number;
  /** Canonical JSON text. */
  readonly value: string;
  readonly systemMetadata: SystemMetadata;
  readonly created: AuditStamp;
}

/** Which aspect changed, without what it changed to: all that a reader needs who loads the entity anyway. */
export type ChangeKey = Pick<ChangeRecord, 'partition' | 'seq' | 'urn' | 'aspectName' | 'version'>;
