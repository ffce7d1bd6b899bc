import type { PartitionSequences } from '@stratalog/model';

/**
 * The indices of one kind over a store: one is live and answers; another may be built beside it and take its place when it has
 * caught up, so that a rebuild never shows an empty or half index.
 */
export interface IndexVersions<Index> {
  /** The index that answers, if any was promoted and all that it is kept in is still there. One that has lost a part is no index. */
  live(): Promise<Index | undefined>;
  /** A new empty index that does not answer yet. An unfinished earlier one with the same identity is continued, if it is whole. */
  create(identity: IndexIdentity): Promise<Index>;
  /** Makes `index` the live one. The former stays for the questions that have begun on it, until it is swept. */
  activate(index: Index): Promise<void>;
  /** Drops the indices that another has replaced, once no question can be on them any more. */
  sweep(): Promise<void>;
  /**
   * Asks for a new index in place of the live one, whichever process builds it. The live one answers until then, but its identity is
   * another from now on. Does nothing when there is no live index, because one is built then anyway.
   */
  requestRebuild(): Promise<void>;
  /** From now on `index` does not answer any more, and nothing answers in its place. */
  retire(index: Index): Promise<void>;
  /** What there is, for people. */
  state(): Promise<IndexVersionsState>;
}

export interface IndexVersionsState {
  readonly live?: {
    readonly name: string;
    /** True when a rebuild was requested and is not done. */
    readonly isOutdated: boolean;
  };
  /** The index that is being built, the youngest if there are several. */
  readonly building?: { readonly name: string; readonly progress?: BuildProgress };
}

/** How many entities an index under construction holds, of how many there were when it was begun. */
export interface BuildProgress {
  readonly done: number;
  readonly total: number;
}

/** What an index was made from: another identity means that its contents or positions may differ. */
export interface IndexIdentity {
  readonly storeId: string;
  readonly epoch: number;
  /** Fingerprint of everything that turns an entity into what the index holds of it. */
  readonly mapping: string;
}

/** An index that holds one `Entry` for each urn, a function of the entity's latest state. */
export interface DerivedIndex<Entry> {
  readonly name: string;
  readonly identity: IndexIdentity;

  /** Up to where the index has every change of the store. */
  position(): Promise<PartitionSequences>;

  /**
   * Writes entries and, with them, moves the position. When it resolves, these and all that were written before are found.
   * Without a position they may be found only after the next write that has one: for the pages of a long work, because it can
   * cost more to have a page found than to write it.
   *
   * **Order and repeats**: an entry whose `seq` is below the stored one is dropped (a late message); an equal one is
   * written again (same state, same entry). The position never moves back.
   *
   * **Errors**: `UnavailableError`; then the position has not moved.
   */
  write(entries: readonly Entry[], position?: PartitionSequences): Promise<void>;

  /** What is stored, by urn in byte order: for telling whether two indices of one technology hold the same. */
  fingerprintsAfter(after: string | undefined, limit: number): Promise<readonly EntryFingerprint[]>;

  /** How many entries are stored whole. Those written without a position count with the next write that has one. */
  count(): Promise<number>;

  /** Those of `urns` that have an entry which is stored whole, in any order. */
  having(urns: readonly string[]): Promise<readonly string[]>;

  /** Keeps how far the building is, for `IndexGenerations.state`. */
  noteProgress(progress: BuildProgress): Promise<void>;

  /** Removes the index and all that is in it. */
  drop(): Promise<void>;
}

export interface EntryFingerprint {
  readonly urn: string;
  /** Absent where an entry may rightly be older than its entity, because what came later concerns nothing in it. */
  readonly seq?: number;
  /** Hash of everything that the index stores for the urn. */
  readonly fingerprint: string;
}
