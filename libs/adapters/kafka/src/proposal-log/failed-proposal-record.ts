import { proposalsIn, type ProposalEntry, type WriteOutcome } from '@stratalog/domain';
import { RawJson, stringifyJson, type JsonOutput, type Steps } from '@stratalog/json';
import type { Batch, LogContent, LogRecord } from '@stratalog/ports';
import { MAX_VALUE_BYTES } from '../cluster/message-size';
import type { OutgoingRecord } from '../producer/record-sender';
import type { TopicNames } from '../cluster/topic-names';
import { toProposalRecord } from './proposal-record';

/** Builds the records that publish the rejected proposals of a batch to other programs. */
export function* toFailedProposalRecords(
  topics: TopicNames,
  { records }: Batch<ProposalEntry>,
  outcomes: readonly WriteOutcome[],
): Steps<readonly OutgoingRecord[]> {
  const failed: OutgoingRecord[] = [];
  for (const [at, record] of records.entries()) {
    const own = yield* toFailedProposalRecord(topics, record, outcomes[at]);
    if (own === undefined) continue;
    failed.push(own);
    yield;
  }
  return failed;
}

/** Returns `undefined` for a record that was applied. */
function* toFailedProposalRecord(
  topics: TopicNames,
  record: LogRecord<ProposalEntry>,
  outcome: WriteOutcome | undefined,
): Steps<OutgoingRecord | undefined> {
  const reason = findReason(record.content, outcome);
  if (reason === undefined) return undefined;
  const { partition, offset, content } = record;
  const position = { topic: topics.proposals, partition, offset: offset - 1, error: reason };
  const whole = encodeMembers({ ...position, ...(yield* contentMembers(content)) });
  return {
    topic: topics.failedProposals,
    partition,
    key: content.kind === 'decoded' ? proposalsIn(content.value)[0].urn : '',
    // A record that nearly fills its topic does not fit together with the reason. Readers then find it at the given
    // position.
    value: whole.length > MAX_VALUE_BYTES ? encodeMembers({ ...position, omitted: true }) : whole,
  };
}

function* contentMembers(content: LogContent<ProposalEntry>): Steps<Record<string, JsonOutput>> {
  if (content.kind !== 'decoded') return { bytes: Buffer.from(content.bytes).toString('base64') };
  const { value } = yield* toProposalRecord(content.value);
  return { metadataChangeProposal: new RawJson(value.toString('utf8')) };
}

function encodeMembers(members: Record<string, JsonOutput>): Buffer {
  return Buffer.from(stringifyJson(members), 'utf8');
}

function findReason(
  content: LogContent<ProposalEntry>,
  outcome: WriteOutcome | undefined,
): string | undefined {
  if (content.kind === 'undecodable') return content.reason;
  switch (outcome?.kind) {
    case 'rejected':
      return outcome.reason;
    case 'failed':
      return 'Applying the proposal failed inside the catalog';
    default:
      return undefined;
  }
}
