import type { AspectRef } from './aspect-ref';

/**
 * Reads the store by run. A run owns an aspect when the latest version of the aspect has its run id.
 *
 * A write that changes the value moves the aspect to the writing run. A restated value stays with its run; another run, or none, that
 * restated it last has **confirmed** it.
 */
export interface RunStore {
  /** Lists the runs that own aspects, latest write first; runs of the same millisecond by id. */
  runs(page: RunPage): Promise<readonly RunSummary[]>;

  /** Counts what a run owns, in one read. */
  countRun(run: RunQuery, keyAspects: readonly string[]): Promise<RunCounts>;

  /**
   * Lists aspects of a run, earliest write first; aspects of the same millisecond by urn and name.
   *
   * With values, a page is of bounded size and holds at least one aspect. More may follow although it holds fewer than
   * `limit`.
   */
  listAspects(query: RunAspectsQuery): Promise<readonly RunAspect[]>;

  /**
   * Counts, per urn, the aspects that a different run or none has written last or confirmed, excluding `butNames`. Urns without any
   * are left out.
   */
  countWrittenByOthers(
    runId: string,
    urns: readonly string[],
    butNames: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
}

/** Selects soft-deleted entities: those where this member of this aspect is true. */
export interface SoftDeletedBy {
  readonly aspectName: string;
  readonly member: string;
}

export interface RunPage {
  readonly start: number;
  readonly limit: number;
  /** Excludes aspects of entities that are soft-deleted by this member. */
  readonly exceptSoftDeleted?: SoftDeletedBy | undefined;
}

export interface RunSummary {
  readonly runId: string;
  /** Time of the last write of its aspects. Epoch ms. */
  readonly lastMs: number;
  /** Number of aspects that it owns. */
  readonly aspects: number;
}

export interface RunQuery {
  readonly runId: string;
  /** Excludes aspects of entities that are soft-deleted by this member. */
  readonly exceptSoftDeleted?: SoftDeletedBy | undefined;
  /**
   * Names of key aspects: a confirmed aspect is not **kept** by a rollback when such an aspect of its entity is the run's and not
   * confirmed. Without names, each confirmed aspect is kept.
   */
  readonly unlessBelow?: readonly string[] | undefined;
}

export interface RunCounts {
  readonly aspects: number;
  /** Number of key aspects among them. */
  readonly keys: number;
  /** Number of entities with an aspect that a rollback does not keep. */
  readonly entities: number;
  /** What a rollback keeps: numbers of aspects and of key aspects among them. */
  readonly kept: { readonly aspects: number; readonly keys: number };
  /** Time of the last write; 0 when the run owns nothing. Epoch ms. */
  readonly lastMs: number;
}

export interface RunAspectsQuery extends RunQuery {
  /** Only aspects that a rollback keeps, or only the others. */
  readonly kept?: boolean | undefined;
  /** Only aspects written at or before this time. Epoch ms. */
  readonly untilMs?: number | undefined;
  /** Only aspects with these names, or all except these. */
  readonly names?: { readonly only: readonly string[] } | { readonly but: readonly string[] } | undefined;
  /** The page starts after this aspect. */
  readonly after?: Pick<RunAspect, 'urn' | 'aspectName' | 'writtenMs'> | undefined;
  /** Number of aspects to skip first. */
  readonly start?: number | undefined;
  readonly limit: number;
  readonly withValues?: boolean | undefined;
}

export interface RunAspect extends AspectRef {
  /** Version of its latest value, which the run has written. */
  readonly version: number;
  /** Epoch ms. */
  readonly writtenMs: number;
  /** The run that has confirmed it; `no-run-id-provided` for a write without a run. */
  readonly confirmedBy?: string;
  /** Canonical JSON text; present when the query asked for values. */
  readonly value?: string;
}

/** Progress of the rollback of a run. */
export interface RollbackProgress {
  readonly runId: string;
  /** Number of aspects that the run owned when the rollback began. */
  readonly aspects: number;
  /** Number of aspects processed so far. Aspects that a hard delete removes with their entity are not processed. */
  readonly looked: number;
  readonly left: number;
  readonly isDone: boolean;
}
