import type { Proposal } from '@stratalog/model';
import type { LogRecord } from '@stratalog/ports';
import { checkProposal, type EntityRegistry } from '@stratalog/registry';
import type { CheckedRecord } from './checked-record';

/** What becomes of a logged proposal whose aspect or entity type the model does not know: kept until a model does, or forgotten. */
export type UnknownAspects = 'park' | 'drop';

/** Checks a record of the log against the model: whoever can write to the log may have put anything into it. */
export function checkRecord(
  record: LogRecord<Proposal>,
  registry: EntityRegistry,
  unknownAspects: UnknownAspects = 'park',
): CheckedRecord {
  const { partition, offset, content } = record;
  const position = { partition, offset };
  if (content.kind === 'undecodable') {
    return { kind: 'refused', reason: content.reason, position, content: { bytes: content.bytes } };
  }
  const proposal = content.value;
  const checked = checkProposal(registry, proposal);
  if ('refusal' in checked) {
    const refused = { kind: 'refused', reason: checked.refusal, position, content: { proposal } } as const;
    const { code } = checked;
    if (code === undefined) return refused;
    return unknownAspects === 'drop' ? { ...refused, isDropped: true } : { ...refused, code };
  }
  return {
    kind: 'accepted',
    urn: proposal.urn,
    aspectName: proposal.aspectName,
    changeType: proposal.changeType,
    ...(checked.value === undefined ? {} : { value: checked.value }),
    systemMetadata: proposal.systemMetadata ?? {},
    actor: proposal.actor,
    key: checked.key,
    neighbours: checked.neighbours,
    defaults: checked.defaults,
  };
}

/**
 * Whether a newer model than ours might have dealt with the record otherwise: it would not have refused it, or has checked it and kept
 * what our check takes away.
 */
export function isDoubtful(
  { content }: LogRecord<Proposal>,
  checked: CheckedRecord,
  { fingerprint }: EntityRegistry,
): boolean {
  if (content.kind === 'undecodable') return false;
  if (checked.kind === 'refused') return true;
  const { checkedBy = fingerprint, value } = content.value;
  return checkedBy !== fingerprint && checked.value !== value;
}
