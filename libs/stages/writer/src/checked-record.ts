import type { ChangeType, Preconditions, Proposal, ProposalBatch, SystemMetadata } from '@stratalog/model';
import type { AspectPatch, Neighbour, TimeseriesChange, ValueOf } from '@stratalog/registry';
import type { LogPosition, Rejection } from '@stratalog/ports';

/** A record of the proposal log, checked against the model. */
export type CheckedRecord = AcceptedRecord | AcceptedBatch | RejectedRecord;

export interface AcceptedRecord {
  readonly kind: 'accepted';
  readonly urn: string;
  readonly aspectName: string;
  readonly changeType: ChangeType;
  /** Canonical JSON text; absent where none is written, or it depends on the stored one. */
  readonly value?: string;
  /** Of a patch: what it makes of the stored value. */
  readonly patch?: AspectPatch;
  /** Of a timeseries aspect: what becomes of its points. */
  readonly timeseriesValues?: TimeseriesChange;
  readonly preconditions: Preconditions;
  readonly systemMetadata: SystemMetadata;
  readonly actor: string;
  /** What the urn's key aspect is called and holds: written with the first aspect of an entity. */
  readonly key: { readonly aspectName: string; readonly value: string };
  /** What the other entities are that the next member depends on. */
  readonly neighbours: () => readonly Neighbour[];
  /** The other aspects that a new entity gets, unless this record is one of them. */
  readonly defaults: (valueOf: ValueOf) => readonly { readonly aspectName: string; readonly value: string }[];
  /** Where and as what it was logged, for keeping it aside should it be rejected yet. */
  readonly position: LogPosition;
  readonly proposal: Proposal;
  /** Nobody has logged it, and whoever waits is told: should it be rejected, nothing is kept. */
  readonly isUnlogged?: boolean;
}

/** Several that are applied together, or rejected together. */
export interface AcceptedBatch {
  readonly kind: 'batch';
  readonly records: readonly AcceptedRecord[];
  readonly position: LogPosition;
  readonly batch: ProposalBatch;
  readonly isUnlogged?: boolean;
}

/** The single proposals that were accepted. */
export function acceptedIn(checked: readonly CheckedRecord[]): readonly AcceptedRecord[] {
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
  /** Present when the reason may pass. */
  readonly code?: NonNullable<Rejection['code']>;
  /** True: it leaves nothing behind. */
  readonly isDropped?: boolean;
  readonly position: LogPosition;
  readonly content: Rejection['content'];
}

/** The record asks for the entity as a whole to go: its key aspect. */
export function deletesEntity({ changeType, aspectName, key }: AcceptedRecord): boolean {
  return changeType === 'DELETE' && aspectName === key.aspectName;
}

/** The entities that the records delete: all of their aspects go. */
export function deletedBy(records: readonly AcceptedRecord[]): readonly string[] {
  return [...new Set(records.filter(deletesEntity).map(({ urn }) => urn))];
}
