import type { ChangeType, Preconditions, Proposal, ProposalBatch, SystemMetadata } from '@stratalog/model';
import type { AspectPatch, Neighbour, TimeseriesChange, ValueOf } from '@stratalog/registry';
import type { LogPosition, Rejection } from '@stratalog/ports';

/** A record of the proposal log after its check against the model. */
export type CheckedRecord = AcceptedRecord | AcceptedBatch | RejectedRecord;

export interface AcceptedRecord {
  readonly kind: 'accepted';
  readonly urn: string;
  readonly aspectName: string;
  readonly changeType: ChangeType;
  /** Canonical JSON text; absent for a deletion, and when the value depends on the stored one. */
  readonly value?: string;
  /** For a patch: computes the new value from the stored value. */
  readonly patch?: AspectPatch;
  /** For a timeseries aspect: the change of its values. */
  readonly timeseriesValues?: TimeseriesChange;
  readonly preconditions: Preconditions;
  readonly systemMetadata: SystemMetadata;
  readonly actor: string;
  /** Name and value of the urn's key aspect, which the first write of an entity creates. */
  readonly key: { readonly aspectName: string; readonly value: string };
  /** Returns the references to other entities that `defaults` depends on. */
  readonly neighbours: () => readonly Neighbour[];
  /** Computes the default aspects of a new entity, except the aspect of this record. */
  readonly defaults: (valueOf: ValueOf) => readonly { readonly aspectName: string; readonly value: string }[];
  /** Position in the log, stored with the dead letter of a later rejection. */
  readonly position: LogPosition;
  readonly proposal: Proposal;
  /**
   * True: the proposal is not in a log and its caller waits for the outcome, so a rejection leaves no dead letter.
   */
  readonly isUnlogged?: boolean;
}

/** Several records that are applied together or rejected together. */
export interface AcceptedBatch {
  readonly kind: 'batch';
  readonly records: readonly AcceptedRecord[];
  readonly position: LogPosition;
  readonly batch: ProposalBatch;
  readonly isUnlogged?: boolean;
}

/** Returns all accepted records, including those of batches. */
export function listAccepted(checked: readonly CheckedRecord[]): readonly AcceptedRecord[] {
  return checked.flatMap((each) => {
    switch (each.kind) {
      case 'accepted':
        return [each];
      case 'batch':
        return each.records;
      case 'rejected':
        return [];
      default:
        return each satisfies never;
    }
  });
}

export interface RejectedRecord {
  readonly kind: 'rejected';
  readonly reason: string;
  /** Set when a later model may accept the record. */
  readonly code?: NonNullable<Rejection['code']>;
  /** True: the rejection leaves no dead letter. */
  readonly isDropped?: boolean;
  readonly position: LogPosition;
  readonly content: Rejection['content'];
}

/** True when the record hard-deletes its entity by deleting the key aspect. */
export function deletesEntity({ changeType, aspectName, key }: AcceptedRecord): boolean {
  return changeType === 'DELETE' && aspectName === key.aspectName;
}

/** Returns the urns of the entities that the records hard-delete. */
export function listDeletedEntities(records: readonly AcceptedRecord[]): readonly string[] {
  return [...new Set(records.filter(deletesEntity).map(({ urn }) => urn))];
}
