import { proposalsIn, type Proposal, type ProposalEntry } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import type { DeadLetterRecord, DeadLetterQuery, DeadLetters } from '@stratalog/ports';

export interface DeadLettersDeps {
  readonly deadLetters: DeadLetters;
}

/** Most proposals of one dead letter that are shown; a batch may have many. */
const MAX_PROPOSALS = 10;
/** Most characters of a shown value. */
const MAX_VALUE_LENGTH = 1_000;

/** Lists the proposals that the writer rejected after they were logged, the newest first. */
export async function listDeadLetters(
  { deadLetters }: DeadLettersDeps,
  query: DeadLetterQuery,
): Promise<JsonOutputObject> {
  const { total, records } = await deadLetters.list(query);
  return { start: query.start, count: records.length, total, deadLetters: records.map(formatRecord) };
}

function formatRecord({
  position,
  topic,
  reason,
  rejectedMs,
  replayedMs,
  isWaiting,
  bytes,
  entry,
  beginning,
}: DeadLetterRecord): JsonOutputObject {
  return {
    ...(topic === '' ? {} : { topic }),
    partition: position.partition,
    offset: position.offset,
    rejectedMillis: rejectedMs,
    reason,
    waits: isWaiting,
    ...(replayedMs === undefined ? {} : { replayedMillis: replayedMs }),
    bytes,
    ...(entry === undefined ? {} : formatEntry(entry)),
    ...(beginning === undefined ? {} : { beginning: beginning.toString('base64') }),
  };
}

function formatEntry(entry: ProposalEntry): JsonOutputObject {
  const proposals = proposalsIn(entry);
  return {
    proposalCount: proposals.length,
    proposals: proposals.slice(0, MAX_PROPOSALS).map(formatProposal),
  };
}

function formatProposal({ entityType, urn, aspectName, changeType, value }: Proposal): JsonOutputObject {
  return {
    entityType,
    urn,
    aspectName,
    changeType,
    ...(value === undefined ? {} : { value: value.slice(0, MAX_VALUE_LENGTH) }),
  };
}
