import { RawJson, stringifyJson, type JsonOutput, type Proposal, type WriteOutcome } from '@stratalog/model';
import type { LogContent, LogRecord } from '@stratalog/ports';
import type { OutgoingRecord } from './record-sender';
import type { TopicNames } from './topic-names';
import { proposalRecordOf } from './proposal-record';

/** What other programs are told about a record that was set aside; `undefined` for one that was applied. */
export function failedProposalRecordOf(
  topics: TopicNames,
  record: LogRecord<Proposal>,
  outcome: WriteOutcome | undefined,
): OutgoingRecord | undefined {
  const reason = reasonOf(record.content, outcome);
  if (reason === undefined) return undefined;
  const { partition, offset, content } = record;
  const isProposal = content.kind === 'decoded';
  const members: Record<string, JsonOutput> = {
    topic: topics.proposals,
    partition,
    offset: offset - 1,
    error: reason,
    ...(isProposal
      ? { metadataChangeProposal: new RawJson(proposalRecordOf(content.value).value.toString('utf8')) }
      : { bytes: Buffer.from(content.bytes).toString('base64') }),
  };
  return {
    topic: topics.failedProposals,
    partition,
    key: isProposal ? content.value.urn : '',
    value: Buffer.from(stringifyJson(members), 'utf8'),
  };
}

function reasonOf(content: LogContent<Proposal>, outcome: WriteOutcome | undefined): string | undefined {
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
