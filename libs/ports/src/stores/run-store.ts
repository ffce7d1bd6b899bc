import type { AspectRef } from './aspect-ref';

/**
 * The store as runs see it. A run has those aspects whose latest value it has written, by the run id of that version: who writes over a value
 * takes the aspect over, who only says it once more does not.
 */
export interface RunStore {
  /** Runs that have aspects, the last to write first; those of one moment by their ids. */
  runs(page: RunPage): Promise<readonly RunSummary[]>;

  /** What a run has, counted in one read. */
  countRun(run: RunQuery, keyAspects: readonly string[]): Promise<RunCounts>;

  /**
   * Aspects of a run, the first to be written first; those of one moment by urn and name. With values, a page is of bounded size: there may be
   * more behind it although it holds fewer than `limit`; at least one.
   */
  aspectsOf(question: RunAspectsQuery): Promise<readonly RunAspect[]>;

  /** How many aspects each of some entities has that another run has written, or nobody's, but those of some names; urns without any are left out. */
  countWrittenByOthers(
    runId: string,
    urns: readonly string[],
    butNames: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
}

/** Entities are hidden by a member of an aspect that is true. */
export interface SoftDeletedBy {
  readonly aspectName: string;
  readonly member: string;
}

export interface RunPage {
  readonly start: number;
  readonly limit: number;
  /** Given: aspects of entities that are hidden so do not count. */
  readonly exceptSoftDeleted?: SoftDeletedBy | undefined;
}

export interface RunSummary {
  readonly runId: string;
  /** When the last of its aspects was written. Epoch ms. */
  readonly lastMs: number;
  /** How many aspects it has. */
  readonly aspects: number;
}

export interface RunQuery {
  readonly runId: string;
  /** Given: without aspects of entities that are hidden so. */
  readonly exceptSoftDeleted?: SoftDeletedBy | undefined;
}

export interface RunCounts {
  readonly aspects: number;
  /** Those among them that are key aspects. */
  readonly keys: number;
  /** Entities that any of the aspects belongs to. */
  readonly entities: number;
  /** When the last was written; 0 when there is none. Epoch ms. */
  readonly lastMs: number;
}

export interface RunAspectsQuery extends RunQuery {
  /** Only those written by then. Epoch ms. */
  readonly untilMs?: number | undefined;
  /** Only aspects of these names, or all but these. */
  readonly names?: { readonly only: readonly string[] } | { readonly but: readonly string[] } | undefined;
  /** Go on behind this one. */
  readonly after?: Pick<RunAspect, 'urn' | 'aspectName' | 'writtenMs'> | undefined;
  /** Pass over so many first. */
  readonly start?: number | undefined;
  readonly limit: number;
  readonly withValues?: boolean | undefined;
}

export interface RunAspect extends AspectRef {
  /** Of its latest value, which the run has written. */
  readonly version: number;
  /** Epoch ms. */
  readonly writtenMs: number;
  /** Canonical JSON text, where values were asked for. */
  readonly value?: string;
}

/** How far the rollback of a run is. */
export interface RollbackProgress {
  readonly runId: string;
  /** Of so many aspects that the run had when it began. */
  readonly aspects: number;
  /** Looked at so far; entities that are deleted take aspects with them that are not looked at any more. */
  readonly looked: number;
  readonly left: number;
  readonly isDone: boolean;
}
