import {
  parsePreconditions,
  proposalsIn,
  rejectionAt,
  type Proposal,
  type ProposalBatch,
  type ProposalEntry,
  type Steps,
} from '@stratalog/model';
import type { LogPosition, LogRecord } from '@stratalog/ports';
import { checkProposalInSteps, type EntityRegistry } from '@stratalog/registry';
import { listAccepted, type AcceptedRecord, type CheckedRecord, type RejectedRecord } from './checked-record';

/**
 * Handling of a logged proposal with an aspect or entity type outside the model: keep it as a dead letter for a later
 * model, or drop it.
 */
export type UnknownAspects = 'dead-letter' | 'drop';

export interface CheckOptions {
  /** Default: `dead-letter`. */
  readonly unknownAspects?: UnknownAspects | undefined;
  readonly isUnlogged?: boolean;
}

/**
 * Checks a record of the log against the model. The log is untrusted: anyone with access to it may write anything.
 */
export function* checkRecord(
  record: LogRecord<ProposalEntry>,
  registry: EntityRegistry,
  { unknownAspects = 'dead-letter', isUnlogged = false }: CheckOptions = {},
): Steps<CheckedRecord> {
  const { partition, offset, content } = record;
  const position = { partition, offset };
  if (content.kind === 'undecodable') {
    return { kind: 'rejected', reason: content.reason, position, content: { bytes: content.bytes } };
  }
  const options = { unknownAspects, isUnlogged, position };
  const entry = content.value;
  return 'proposals' in entry
    ? yield* checkBatch(entry, registry, options)
    : yield* checkSingle(entry, registry, options);
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
  const { position, isUnlogged } = options;
  const records: AcceptedRecord[] = [];
  for (const [at, proposal] of batch.proposals.entries()) {
    const checked = yield* checkSingle(proposal, registry, options);
    if (checked.kind === 'rejected') {
      return {
        kind: 'rejected',
        reason: rejectionAt(at, checked.reason),
        position,
        content: { proposal: batch },
      };
    }
    records.push(checked);
    yield;
  }
  return { kind: 'batch', records, position, batch, isUnlogged };
}

function* checkSingle(
  proposal: Proposal,
  registry: EntityRegistry,
  { unknownAspects, isUnlogged, position }: SingleOptions,
): Steps<AcceptedRecord | RejectedRecord> {
  const rejected = (reason: string): RejectedRecord => ({
    kind: 'rejected',
    reason,
    position,
    content: { proposal },
  });
  const checked = yield* checkProposalInSteps(registry, proposal);
  if ('rejection' in checked) {
    const { code, rejection } = checked;
    if (code === undefined) return rejected(rejection);
    return { ...rejected(rejection), ...(unknownAspects === 'drop' ? { isDropped: true } : { code }) };
  }
  const conditions = parsePreconditions(proposal.headers ?? {});
  if ('fault' in conditions) return rejected(`${conditions.header}: ${conditions.fault}`);
  return {
    kind: 'accepted',
    urn: proposal.urn,
    aspectName: proposal.aspectName,
    changeType: proposal.changeType,
    ...(checked.value === undefined ? {} : { value: checked.value }),
    ...(checked.patch === undefined ? {} : { patch: checked.patch }),
    ...(checked.timeseriesValues === undefined ? {} : { timeseriesValues: checked.timeseriesValues }),
    preconditions: conditions.preconditions,
    systemMetadata: proposal.systemMetadata ?? {},
    actor: proposal.actor,
    key: checked.key,
    neighbours: checked.neighbours,
    defaults: checked.defaults,
    position,
    proposal,
    isUnlogged,
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
