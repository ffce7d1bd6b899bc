import type { Proposal } from '@stratalog/model';
import type { LogRecord } from '@stratalog/ports';
import { checkProposal, type EntityRegistry } from '@stratalog/registry';
import type { CheckedRecord } from './decide-writes';

/** Checks a record of the log against the model: whoever can write to the log may have put anything into it. */
export function checkRecord(record: LogRecord<Proposal>, registry: EntityRegistry): CheckedRecord {
  const { partition, offset, content } = record;
  const position = { partition, offset };
  if (content.kind === 'undecodable') {
    return { kind: 'refused', reason: content.reason, position, content: { bytes: content.bytes } };
  }
  const proposal = content.value;
  const checked = checkProposal(registry, proposal);
  if ('refusal' in checked) {
    return { kind: 'refused', reason: checked.refusal, position, content: { proposal } };
  }
  return {
    kind: 'accepted',
    urn: proposal.urn,
    aspectName: proposal.aspectName,
    value: checked.value,
    systemMetadata: proposal.systemMetadata ?? {},
    actor: proposal.actor,
    key: checked.key,
    defaults: checked.defaults,
  };
}
