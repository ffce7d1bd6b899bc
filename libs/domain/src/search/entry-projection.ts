import type { StoredEntity } from '../entities/aspect';
import type { Steps } from '@stratalog/json';
import type { ChangeKey } from '../proposals/change-record';

/**
 * The rules that project an entity to its entry in one kind of index: a search document or a set of edges.
 *
 * Every function is pure, so that live indexing, rebuilds and verification agree.
 */
export interface EntryProjection<Entry> {
  /** Fingerprint of all rules below. Entries of another fingerprint are projected again. */
  readonly mapping: string;
  /** True when the change can alter an entry. */
  readonly affects: (change: ChangeKey) => boolean;
  /** True when an entity of this type has an entry. */
  readonly hasEntry: (entityType: string, isDeleted: boolean) => boolean;
  /** The aspects that entries are projected from; others are not read. Absent: all aspects. */
  readonly aspectNames?: readonly string[];
  /** Lists the timeseries aspects whose latest values the entry of a urn holds too. Absent: no entry holds any. */
  readonly listTimeseriesAspects?: ((urn: string) => readonly string[]) | undefined;
  /** The rules for values of other entities. Absent: an entry depends on its own entity alone. */
  readonly references?: ReferenceRules | undefined;
  /**
   * Returns `undefined` for an entity without an entry. `referenced` holds what `references` names, as far as it is stored.
   * An error that it throws affects this entity only.
   */
  readonly project: (entity: StoredEntity, referenced?: ReferencedEntities) => Steps<Entry | undefined>;
}

/** Entities that others refer to, by urn. */
export type ReferencedEntities = ReadonlyMap<string, StoredEntity>;

/** The fields of referenced entities that an entry holds. */
export interface ReferenceRules {
  /** Lists the entities whose values the entry of `entity` holds too, a bounded number. */
  readonly list: (entity: StoredEntity) => Steps<readonly string[]>;
  /** The aspects of referenced entities that entries hold values of. */
  readonly aspectNames: readonly string[];
  /** True when the change can alter the entries of entities that refer to the changed one. */
  readonly affects: (change: ChangeKey) => boolean;
}
