import { formatDeadLetterId, proposalsIn, type Proposal, type ProposalEntry } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import type { DeadLetterRecord, WholeDeadLetter } from '@stratalog/ports';

/** Most proposals of one dead letter that are shown; a batch may have many. */
const MAX_PROPOSALS = 10;
/** Most characters of a shown value. */
const MAX_VALUE_LENGTH = 1_000;
/** Most bytes of a letter that is shown whole. */
const MAX_CONTENT_BYTES = 1_048_576;

/** A letter as the list shows it, with beginnings of values. */
export function formatRecord(letter: DeadLetterRecord): JsonOutputObject {
  const { bytes, entry, beginning } = letter;
  return {
    ...formatFacts(letter),
    bytes,
    ...(entry === undefined ? {} : formatEntry(entry, MAX_VALUE_LENGTH)),
    ...(beginning === undefined ? {} : { beginning: beginning.toString('base64') }),
  };
}

/** A letter with all that is kept of it, as far as one answer may hold it. */
export function formatWhole(letter: WholeDeadLetter): JsonOutputObject {
  const { bytes, entry } = letter;
  const shown = bytes.subarray(0, MAX_CONTENT_BYTES);
  const text = toText(shown);
  return {
    ...formatFacts(letter),
    bytes: bytes.length,
    ...(text === undefined ? { base64: shown.toString('base64') } : { text }),
    ...(entry === undefined ? {} : formatEntry(entry, MAX_CONTENT_BYTES)),
  };
}

function formatFacts({
  position,
  topic,
  cause,
  reason,
  rejectedMs,
  lastRejectedMs,
  times,
  state,
  settledMs,
  settledBy,
  isWaiting,
}: Omit<WholeDeadLetter, 'bytes'>): JsonOutputObject {
  const paths = pathsIn(reason);
  return {
    id: formatDeadLetterId(position),
    ...(topic === '' ? {} : { topic }),
    partition: position.partition,
    offset: position.offset,
    cause,
    reason,
    ...(paths.length === 0 ? {} : { paths }),
    rejectedMillis: rejectedMs,
    lastRejectedMillis: lastRejectedMs,
    times,
    state,
    waits: isWaiting,
    ...(state === 'replayed' && settledMs !== undefined ? { replayedMillis: settledMs } : {}),
    ...(state === 'discarded' && settledMs !== undefined ? { discardedMillis: settledMs } : {}),
    ...(settledBy === undefined ? {} : { settledBy }),
  };
}

/** A reason names each wrong field as `/path :: what is wrong`. */
function pathsIn(reason: string): readonly string[] {
  return [...reason.matchAll(/(\/[^\s:]*) :: /g)].map(([, path = '']) => path);
}

/** `undefined` for bytes that are no text. */
function toText(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, {
      stream: bytes.length === MAX_CONTENT_BYTES,
    });
  } catch {
    return undefined;
  }
}

function formatEntry(entry: ProposalEntry, maxLength: number): JsonOutputObject {
  const proposals = proposalsIn(entry);
  return {
    proposalCount: proposals.length,
    proposals: proposals.slice(0, MAX_PROPOSALS).map((each) => formatProposal(each, maxLength)),
  };
}

function formatProposal(
  { entityType, urn, aspectName, changeType, value }: Proposal,
  maxLength: number,
): JsonOutputObject {
  return {
    entityType,
    urn,
    aspectName,
    changeType,
    ...(value === undefined ? {} : { value: value.slice(0, maxLength) }),
  };
}
