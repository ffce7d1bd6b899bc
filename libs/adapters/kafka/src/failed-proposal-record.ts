import {
  RawJson,
  stringifyJson,
  proposalsIn,
  type JsonOutput,
  type ProposalEntry,
  type WriteOutcome,
} from '@stratalog/model';
import type { LogContent, LogRecord } from '@stratalog/ports';
import { MAX_VALUE_BYTES } from './ensure-topics';
import type { OutgoingRecord } from './record-sender';
import type { TopicNames } from './topic-names';
import { proposalRecordOf } from './proposal-record';

/** What other programs are told about a record that was set aside; `undefined` for one that was applied. */
export function failedProposalRecordOf(
  topics: TopicNames,
  record: LogRecord<ProposalEntry>,
  outcome: WriteOutcome | undefined,
): OutgoingRecord | undefined {
  const reason = reasonOf(record.content, outcome);
  if (reason === undefined) return undefined;
  const { partition, offset, content } = record;
  const place = { topic: topics.proposals, partition, offset: offset - 1, error: reason };
  const whole = bytesOf({ ...place, ...contentMembers(content) });
  return {
    topic: topics.failedProposals,
    partition,
    key: content.kind === 'decoded' ? proposalsIn(content.value)[0].urn : '',
    // A record that nearly filled its topic does not fit with the reason beside it; it is still where the members say.
    value: whole.length > MAX_VALUE_BYTES ? bytesOf({ ...place, omitted: true }) : whole,
  };
}

function contentMembers(content: LogContent<ProposalEntry>): Record<string, JsonOutput> {
  return content.kind === 'decoded'
    ? { metadataChangeProposal: new RawJson(proposalRecordOf(content.value).value.toString('utf8')) }
    : { bytes: Buffer.from(content.bytes).toString('base64') };
}

function bytesOf(members: Record<string, JsonOutput>): Buffer {
  return Buffer.from(stringifyJson(members), 'utf8');
}

function reasonOf(content: LogContent<ProposalEntry>, outcome: WriteOutcome | undefined): string | undefined {
  if (content.kind === 'undecodable') return content.reason;
  switch (outcome?.kind) {
    case 'refused':
      return outcome.reason;
    case 'failed':
      return 'Applying the proposal failed inside the catalog';
    default:
      return undefined;
  }
}
