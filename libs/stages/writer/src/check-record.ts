import {
  parsePreconditions,
  proposalsIn,
  rejectionAt,
  replayIn,
  type ChangeType,
  type Preconditions,
  type Proposal,
  type ProposalBatch,
  type ProposalEntry,
  type Replay,
  type SystemMetadata,
} from '@stratalog/domain';
import type { Steps } from '@stratalog/json';
import type { LogPosition, LogRecord, Rejection } from '@stratalog/ports';
import {
  checkProposalInSteps,
  type AspectPatch,
  type DefaultAspect,
  type EntityRegistry,
  type Neighbour,
  type RejectReferences,
  type TimeseriesChange,
  type StoredRule,
  type WantedDefaults,
} from '@stratalog/registry';

/** A record of the proposal log after its check against the model. */
export type CheckedRecord = (AcceptedRecord | AcceptedBatch | RejectedRecord) & {
  /** Present when the record replays a dead letter: it is applied only while that is open. */
  readonly replay?: Replay;
};

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
  /** Present when the value has references that lead nowhere; decides by the stored value whether they are accepted. */
  readonly rejectReferences?: RejectReferences;
  readonly preconditions: Preconditions;
  readonly systemMetadata: SystemMetadata;
  readonly actor: string;
  /** Name and value of the urn's key aspect, which the first write of an entity creates. */
  readonly key: { readonly aspectName: string; readonly value: string };
  /** Returns the references to other entities that `defaults` depends on. */
  readonly neighbours: () => readonly Neighbour[];
  /** Lists the names of the default aspects of the entity. */
  readonly defaultNames: () => readonly string[];
  /** Computes the default aspects that the entity lacks. */
  readonly defaults: (wanted: WantedDefaults) => readonly DefaultAspect[];
  /** Checks the new value against what is stored. */
  readonly rule?: StoredRule;
  /** Position in the log, stored with the dead letter of a later rejection. */
  readonly position: LogPosition;
  readonly proposal: Proposal;
  /**
   * True: the proposal is not in a log and its caller waits for the outcome, so a rejection leaves no dead letter.
   */
  readonly isUnlogged?: boolean;
  /** True: later records of other urns may be applied before this one. */
  readonly isOrderedByUrn?: boolean;
}

/** Several records that are applied together or rejected together. */
export interface AcceptedBatch {
  readonly kind: 'batch';
  readonly records: readonly AcceptedRecord[];
  readonly position: LogPosition;
  readonly batch: ProposalBatch;
  readonly isUnlogged?: boolean;
  readonly isOrderedByUrn?: boolean;
}

interface RejectedRecord {
  readonly kind: 'rejected';
  readonly reason: string;
  /** Set when a later model may accept the record. */
  readonly code?: NonNullable<Rejection['code']>;
  readonly cause?: NonNullable<Rejection['cause']>;
  /** True: the rejection leaves no dead letter. */
  readonly isDropped?: boolean;
  readonly position: LogPosition;
  readonly content: Rejection['content'];
}

/**
 * Handling of a logged proposal with an aspect or entity type outside the model: keep it as a dead letter for a later
 * model, or drop it.
 */
export type UnknownAspects = 'dead-letter' | 'drop';

export interface CheckOptions {
  /** Default: `dead-letter`. */
  readonly unknownAspects?: UnknownAspects | undefined;
  readonly isUnlogged?: boolean;
  readonly isOrderedByUrn?: boolean;
}

/**
 * Checks a record of the log against the model. The log is untrusted: anyone with access to it may write anything.
 */
export function* checkRecord(
  record: LogRecord<ProposalEntry>,
  registry: EntityRegistry,
  { unknownAspects = 'dead-letter', isUnlogged = false, isOrderedByUrn = isUnlogged }: CheckOptions = {},
): Steps<CheckedRecord> {
  const { partition, offset, content } = record;
  const position = { partition, offset };
  if (content.kind === 'undecodable') {
    return { kind: 'rejected', reason: content.reason, position, content: { bytes: content.bytes } };
  }
  const options = { unknownAspects, isUnlogged, isOrderedByUrn, position };
  const entry = content.value;
  const checked =
    'proposals' in entry
      ? yield* checkBatch(entry, registry, options)
      : yield* checkSingle(entry, registry, options);
  const replay = replayIn(entry);
  return replay === undefined ? checked : { ...checked, replay };
}

interface SingleOptions extends Required<CheckOptions> {
  readonly position: LogPosition;
}

/** Checks the proposals of a batch; the first rejection rejects the batch and names the index. */
function* checkBatch(
  batch: ProposalBatch,
  registry: EntityRegistry,
  options: SingleOptions,
): Steps<CheckedRecord> {
  const { position, isUnlogged, isOrderedByUrn } = options;
  const records: AcceptedRecord[] = [];
  for (const [at, proposal] of batch.proposals.entries()) {
    const checked = yield* checkSingle(proposal, registry, options);
    if (checked.kind === 'rejected') {
      return {
        kind: 'rejected',
        reason: rejectionAt(at, checked.reason),
        cause: 'invalid',
        position,
        content: { proposal: batch },
      };
    }
    records.push(checked);
    yield;
  }
  return { kind: 'batch', records, position, batch, isUnlogged, isOrderedByUrn };
}

function* checkSingle(
  proposal: Proposal,
  registry: EntityRegistry,
  { unknownAspects, isUnlogged, isOrderedByUrn, position }: SingleOptions,
): Steps<AcceptedRecord | RejectedRecord> {
  const rejected = (reason: string): RejectedRecord => ({
    kind: 'rejected',
    reason,
    position,
    content: { proposal },
  });
  const invalid = (reason: string): RejectedRecord => ({ ...rejected(reason), cause: 'invalid' });
  const checked = yield* checkProposalInSteps(registry, proposal);
  if ('rejection' in checked) {
    const { code, rejection } = checked;
    if (code === undefined) return invalid(rejection);
    return { ...rejected(rejection), ...(unknownAspects === 'drop' ? { isDropped: true } : { code }) };
  }
  const conditions = parsePreconditions(proposal.headers ?? {});
  if ('fault' in conditions) return invalid(`${conditions.header}: ${conditions.fault}`);
  return {
    kind: 'accepted',
    urn: proposal.urn,
    aspectName: proposal.aspectName,
    changeType: proposal.changeType,
    ...(checked.value === undefined ? {} : { value: checked.value }),
    ...(checked.patch === undefined ? {} : { patch: checked.patch }),
    ...(checked.rejectReferences === undefined ? {} : { rejectReferences: checked.rejectReferences }),
    ...(checked.rule === undefined ? {} : { rule: checked.rule }),
    ...(checked.timeseriesValues === undefined ? {} : { timeseriesValues: checked.timeseriesValues }),
    preconditions: conditions.preconditions,
    systemMetadata: proposal.systemMetadata ?? {},
    actor: proposal.actor,
    key: checked.key,
    neighbours: checked.neighbours,
    defaultNames: checked.defaultNames,
    defaults: checked.defaults,
    position,
    proposal,
    isUnlogged,
    isOrderedByUrn,
  };
}

/**
 * True when a newer model might handle the record differently: it might accept a rejected record, or keep what this
 * check removed.
 */
export function isDoubtful(
  { content }: LogRecord<ProposalEntry>,
  checked: CheckedRecord,
  { fingerprint }: EntityRegistry,
): boolean {
  if (content.kind === 'undecodable') return false;
  if (checked.kind === 'rejected') return true;
  const accepted = listAccepted([checked]);
  return proposalsIn(content.value).some(({ checkedBy = fingerprint, value }, at) => {
    // A log with other writers carries only a prefix of the fingerprint.
    if (fingerprint.startsWith(checkedBy)) return false;
    return accepted[at]?.patch !== undefined || accepted[at]?.value !== value;
  });
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

/**
 * Lists the default aspects that the record writes where the entity lacks them. An UPDATE writes none, nor does what the catalog
 * derives from an entity.
 */
export function listWrittenDefaults({
  changeType,
  defaultNames,
  preconditions,
}: AcceptedRecord): readonly string[] {
  return changeType === 'UPDATE' || preconditions.keyVersion !== undefined ? [] : defaultNames();
}

/** True when the record hard-deletes its entity by deleting the key aspect. */
export function deletesEntity({ changeType, aspectName, key }: AcceptedRecord): boolean {
  return changeType === 'DELETE' && aspectName === key.aspectName;
}

/** Returns the urns of the entities that the records hard-delete. */
export function listDeletedEntities(records: readonly AcceptedRecord[]): readonly string[] {
  return [...new Set(records.filter(deletesEntity).map(({ urn }) => urn))];
}
