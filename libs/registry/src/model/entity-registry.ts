import type { SearchField } from '@stratalog/model';
import type { Check } from '../check/check-run';
import type { NamedSchema, RecordSchema } from '../schema/schema';
import type { RelationshipPath } from '../annotations/read-relationship-paths';
import type { SearchPath } from '../annotations/search-path';
import type { SearchScore } from '../annotations/search-score';
import type { TimeseriesFields } from '../annotations/read-timeseries-fields';

/** Everything that the model files say, with names resolved: which entity types there are, and what their aspects hold. */
export interface EntityRegistry {
  /** Changes with anything that decides which values are valid or what they mean; not with docs. SHA-256, hex. */
  readonly fingerprint: string;
  /** Changes with anything that decides what a search document holds. SHA-256, hex. */
  readonly searchFingerprint: string;
  /** Changes with anything that decides which edges an aspect draws. SHA-256, hex. */
  readonly graphFingerprint: string;
  /** The second part of every urn: `li`. */
  readonly urnNamespace: string;
  /** In the order of the registry files. */
  readonly entityTypes: readonly EntityType[];
  /** What the files say that nothing understands, each with its place: for the log of a start. */
  readonly warnings: readonly string[];
  /** What is understood and does nothing here, each with its place. */
  readonly notes: readonly string[];
  /** Every aspect that a record declares, whether an entity has it or not; in the order of the files. */
  readonly aspects: readonly AspectType[];
  /** By the name of the entity type; most of the newer types have none. */
  readonly snapshots: ReadonlyMap<string, SnapshotType>;
  /** By any name that producers write for its record: full, short, or Avro-style. */
  snapshotNamed(recordName: string): SnapshotType | undefined;
  /** Without regard to case. */
  entityType(name: string): EntityType | undefined;
  aspect(name: string): AspectType | undefined;
  /** Every named type that the files declare, in their order. */
  readonly types: readonly NamedSchema[];
  /** Any named type of the model, by full name. */
  schema(fullName: string): NamedSchema | undefined;
  /** The check for values of a record; compiled when first asked for, then kept. */
  compileCheck(record: RecordSchema): Check;
}

export interface EntityType {
  readonly name: string;
  readonly doc: string;
  readonly category?: string;
  /** Which entity types the original searches as one; `default` unless the registry file says otherwise. Told, and without effect here. */
  readonly searchGroup: string;
  /** Whether the original shows it to everybody who is logged in. Told; rights to see single entities are not there yet. */
  readonly isViewUnrestricted: boolean;
  readonly keyAspect: AspectType;
  /** By aspect name, the key aspect first. */
  readonly aspects: ReadonlyMap<string, AspectType>;
  /** Every search name and alias of all its aspects; where two aspects declare one name, the first counts. */
  readonly searchFields: ReadonlyMap<string, SearchField>;
  /** Search fields that any aspect offers as a filter, with the filter's display name. */
  readonly filters: ReadonlyMap<string, string>;
}

export interface AspectType {
  readonly name: string;
  readonly kind: 'versioned' | 'timeseries';
  /** True when it is the key aspect of an entity type: its value follows from the urn. */
  readonly isKey: boolean;
  /** Full name of its record, e.g. `com.linkedin.dataset.DatasetProperties`. */
  readonly recordName: string;
  readonly record: RecordSchema;
  readonly searchFields: readonly SearchPath[];
  /** Numbers that rank the entity higher or lower. */
  readonly searchScores: readonly SearchScore[];
  readonly relationships: readonly RelationshipPath[];
  /** Of a timeseries aspect alone. */
  readonly timeseries?: TimeseriesFields;
}

/** The legacy record that holds an entity with some of its aspects. */
export interface SnapshotType {
  /** Full name, e.g. `com.linkedin.metadata.snapshot.DatasetSnapshot`. */
  readonly recordName: string;
  readonly entityType: EntityType;
  /** Aspects that it may hold, by the full name of their record. Newer ones are not among them. */
  readonly aspects: ReadonlyMap<string, AspectType>;
  /** The same by every name that producers write for their records: full, short where it is unique, and Avro-style. */
  readonly aspectsByEveryName: ReadonlyMap<string, AspectType>;
}
