import type { SearchField, MemberFault } from '@stratalog/domain';
import type { JsonValue } from '@stratalog/json';
import type { ModelName } from './read-model-folder';
import type { Check } from '../check/check-run';
import type { NamedSchema, RecordSchema } from '../schema/schema';
import type { UrnPlace } from '../annotations/read-expected-urns';
import type { ColumnLinks } from '../annotations/read-column-links';
import type { RelationshipPath } from '../annotations/read-relationship-paths';
import type { SearchPath } from '../annotations/search-path';
import type { SearchScore } from '../annotations/search-score';
import type { TimeseriesFields } from '../annotations/read-timeseries-fields';

/** The model with resolved names: its entity types and their aspects. */
export interface EntityRegistry {
  /** Changes with every rule of validation, not with docs. SHA-256, hex. */
  readonly fingerprint: string;
  /** Changes with everything that affects search documents. SHA-256, hex. */
  readonly searchFingerprint: string;
  /** Changes with everything that affects edges. SHA-256, hex. */
  readonly graphFingerprint: string;
  /** The second part of every urn: `li`. */
  readonly urnNamespace: string;
  /** The models of the folders, in loading order. */
  readonly models: readonly ModelName[];
  /** In the order of the registry files. */
  readonly entityTypes: readonly EntityType[];
  /** Unknown parts of the model files, each with its place, for the log at start. */
  readonly warnings: readonly string[];
  /** Known parts of the model files without an effect here, each with its place. */
  readonly notes: readonly string[];
  /** Every aspect that a record declares, with or without an entity; in the order of the files. */
  readonly aspects: readonly AspectType[];
  /** Snapshots by entity type; most newer types have none. */
  readonly snapshots: ReadonlyMap<string, SnapshotType>;
  /** Finds a snapshot by any name of its record: full, short, or Avro-style. */
  snapshotNamed(recordName: string): SnapshotType | undefined;
  /** Finds an entity type, ignoring case. */
  entityType(name: string): EntityType | undefined;
  aspect(name: string): AspectType | undefined;
  /** Every named type of the files, in their order. */
  readonly types: readonly NamedSchema[];
  /** Finds a named type by its full name. */
  schema(fullName: string): NamedSchema | undefined;
  /** Returns the check for values of a record; compiles it at the first use. */
  compileCheck(record: RecordSchema): Check;
  /** The rule of an aspect beyond its schema, if it has one. */
  aspectRule(name: string): AspectRule | undefined;
}

/** Finds faults of an aspect's value that its schema cannot express. The value fits the schema. */
export type AspectRule = (registry: EntityRegistry, value: JsonValue) => readonly MemberFault[];

export interface EntityType {
  readonly name: string;
  readonly doc: string;
  readonly category?: string;
  /**
   * Group of entity types that the original searches together; `default` unless the registry file names one.
   * Reported, without an effect here.
   */
  readonly searchGroup: string;
  /**
   * True when the original shows the type to every logged-in user. Reported, without an effect: the catalog has no
   * rights on single entities.
   */
  readonly isViewUnrestricted: boolean;
  readonly keyAspect: AspectType;
  /** Aspects by name, the key aspect first. */
  readonly aspects: ReadonlyMap<string, AspectType>;
  /** Search fields of all aspects by name and alias. Of two aspects with one name, the first wins. */
  readonly searchFields: ReadonlyMap<string, SearchField>;
  /** Display names of filters, by search field. */
  readonly filters: ReadonlyMap<string, string>;
  /** Places that name entities whose fields are searched on the entities of this type too. */
  readonly references: readonly SearchReference[];
}

/** A place of a referring entity type, and what it brings of the entities that it names. */
export interface SearchReference {
  /** The aspect of the referring type. */
  readonly aspect: AspectType;
  readonly place: SearchPath;
  /** Name of the referenced entity type. */
  readonly entityType: string;
  /** The aspects of the referenced type that have searched fields. */
  readonly searchedAspects: readonly AspectType[];
  /** The search fields of the referring type, by the name of the field of the referenced type. */
  readonly fields: ReadonlyMap<string, SearchField>;
}

export interface AspectType {
  readonly name: string;
  readonly kind: 'versioned' | 'timeseries';
  /** True for the key aspect of an entity type: its value follows from the urn. */
  readonly isKey: boolean;
  /** Full name of the record, e.g. `com.linkedin.dataset.DatasetProperties`. */
  readonly recordName: string;
  readonly record: RecordSchema;
  readonly searchFields: readonly SearchPath[];
  /** Numbers that rank the entity higher or lower. */
  readonly searchScores: readonly SearchScore[];
  readonly relationships: readonly RelationshipPath[];
  /** Places of urns whose entities are expected to exist. */
  readonly expectedUrns: readonly UrnPlace[];
  /** Places that link columns with columns. */
  readonly columnLinks: readonly ColumnLinks[];
  /** Present for timeseries aspects only. */
  readonly timeseries?: TimeseriesFields;
}

/** The legacy record of an entity with some of its aspects. */
export interface SnapshotType {
  /** Full name, e.g. `com.linkedin.metadata.snapshot.DatasetSnapshot`. */
  readonly recordName: string;
  readonly entityType: EntityType;
  /** Aspects of the snapshot, by the full name of their record; newer aspects are missing. */
  readonly aspects: ReadonlyMap<string, AspectType>;
  /** The same aspects by every name that producers write: full, unique short, and Avro-style. */
  readonly aspectsByEveryName: ReadonlyMap<string, AspectType>;
}
