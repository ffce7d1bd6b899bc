import type { TimeRange } from '../entities/timeseries-value';
import type { ProposalHeaders } from './preconditions';
import type { SystemMetadata } from '../entities/system-metadata';

/** What a proposal asks for. */
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

/**
 * One proposed change of one aspect of one entity, as it lies in the proposal log.
 */
export interface Proposal {
  readonly entityType: string;
  readonly urn: string;
  readonly aspectName: string;
  readonly changeType: ChangeType;
  /** The aspect's value as JSON text; absent for a deletion, and where a value is restated as it is. */
  readonly value?: string;
  readonly systemMetadata?: SystemMetadata;
  /** Of a deletion of points: those within, instead of all that the aspect has. */
  readonly timestamps?: TimeRange;
  /** The conditions under which it counts; only those that mean something, by their usual names. */
  readonly headers?: ProposalHeaders;
  /** Urn of whoever proposed it. */
  readonly actor: string;
  /**
   * Fingerprint of the model under which this very process checked the proposal and made `value` canonical. The writer
   * skips a second check when it equals its own; a log that others can write to never carries it.
   */
  readonly checkedBy?: string;
}

/** Proposals that are applied together or not at all: one record of the log, at the place of the first one's urn. */
export interface ProposalBatch {
  readonly proposals: readonly [Proposal, ...Proposal[]];
}

/** What one record of the proposal log holds. */
export type ProposalEntry = Proposal | ProposalBatch;

export function proposalsIn(entry: ProposalEntry): readonly [Proposal, ...Proposal[]] {
  return 'proposals' in entry ? entry.proposals : [entry];
}

/** How the rejection of a batch says which of its proposals is to blame. */
export function rejectionAt(index: number, reason: string): string {
  return `/proposals/${String(index)} :: ${reason}`;
}

export interface AppliedOutcome {
  /** `written`: a new version. `unchanged`: there is no new version, because all is there already or nothing was to be done. */
  readonly kind: 'written' | 'unchanged';
  /** 0 where nothing has one: points, and what was not there. */
  readonly version: number;
  readonly partition: number;
  /** The urn's last sequence number in its partition. */
  readonly seq: number;
}

/** What became of a record of the proposal log. */
export type WriteOutcome =
  | AppliedOutcome
  /** Of a batch: one for each of its proposals. */
  | { readonly kind: 'batch'; readonly outcomes: readonly AppliedOutcome[] }
  | { readonly kind: 'rejected'; readonly reason: string }
  /** Applying it failed inside the catalog; it is kept aside. */
  | { readonly kind: 'failed'; readonly cause: unknown };
