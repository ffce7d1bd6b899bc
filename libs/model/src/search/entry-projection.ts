import type { StoredEntity } from '../entities/aspect';
import type { Steps } from '../json/steps';
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
  /** `undefined` for an entity without an entry. An error that it throws affects this entity only. */
  readonly project: (entity: StoredEntity) => Steps<Entry | undefined>;
}
