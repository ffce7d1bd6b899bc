import type { TimeRange } from '../entities/timeseries-value';
import type { ProposalHeaders } from './preconditions';
import type { SystemMetadata } from '../entities/system-metadata';

/** The operations that a proposal can ask for. */
export const CHANGE_TYPES = [
  'UPSERT',
  'CREATE',
  'CREATE_ENTITY',
  'UPDATE',
  'PATCH',
  'RESTATE',
  'DELETE',
] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** One proposed change of one aspect of one entity, as the proposal log stores it. */
export interface Proposal {
  readonly entityType: string;
  readonly urn: string;
  readonly aspectName: string;
  readonly changeType: ChangeType;
  /** Value of the aspect as JSON text. Absent for a deletion, and for a RESTATE of the stored value. */
  readonly value?: string;
  readonly systemMetadata?: SystemMetadata;
  /** Bounds a deletion of timeseries values; absent: all values of the aspect. */
  readonly timestamps?: TimeRange;
  /** Preconditions of the proposal, by their canonical names. Headers without a known meaning are dropped. */
  readonly headers?: ProposalHeaders;
  /** Urn of the proposing actor. */
  readonly actor: string;
  /**
   * Fingerprint of the model with which this process checked the proposal and made `value` canonical.
   * The writer skips a second check when the fingerprint equals its own. A log with other writers never carries it.
   */
  readonly checkedBy?: string;
}

/**
 * Proposals that the writer applies together or not at all: one record of the log, in the partition of the first urn.
 */
export interface ProposalBatch {
  readonly proposals: readonly [Proposal, ...Proposal[]];
}

/** Content of one record of the proposal log. */
export type ProposalEntry = Proposal | ProposalBatch;

export function proposalsIn(entry: ProposalEntry): readonly [Proposal, ...Proposal[]] {
  return 'proposals' in entry ? entry.proposals : [entry];
}

/** True when the new value depends on the stored one, so that applying the proposal reads and writes all of it. */
export function rewritesStoredValue({ changeType, value }: Pick<Proposal, 'changeType' | 'value'>): boolean {
  return changeType === 'PATCH' || (changeType === 'RESTATE' && value === undefined);
}

/** Formats the rejection of a batch with the index of the rejected proposal. */
export function rejectionAt(index: number, reason: string): string {
  return `/proposals/${String(index)} :: ${reason}`;
}

export interface AppliedOutcome {
  /**
   * `written`: a new version. `unchanged`: no new version, because the stored state already has the proposed value or
   * there was nothing to do.
   */
  readonly kind: 'written' | 'unchanged';
  /** 0 without a version: for timeseries values, and for an aspect that does not exist. */
  readonly version: number;
  readonly partition: number;
  /** The urn's last sequence number in its partition. */
  readonly seq: number;
}

/** Outcome of one record of the proposal log. */
export type WriteOutcome =
  | AppliedOutcome
  /** Outcome of a batch: one for each proposal. */
  | { readonly kind: 'batch'; readonly outcomes: readonly AppliedOutcome[] }
  | { readonly kind: 'rejected'; readonly reason: string }
  /** The writer failed inside the catalog; the record is a dead letter. */
  | { readonly kind: 'failed'; readonly cause: unknown };
