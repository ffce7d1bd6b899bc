import {
  InvalidProposalError,
  PATCH_CONTENT_TYPE,
  StratalogError,
  TooLargeError,
  isJsonObject,
  parseUntrustedInSteps,
  formatTimeRangeHeaders,
  parseTimeRangeHeaders,
  proposalsIn,
  readProposal,
  stringifyJson,
  type ChangeType,
  type JsonObject,
  type JsonOutputObject,
  type JsonValue,
  type Proposal,
  type ProposalEntry,
  type Steps,
  type UrnOfKey,
} from '@stratalog/model';
import type { LogContent } from '@stratalog/ports';
import { MAX_VALUE_BYTES } from '../cluster/ensure-topics';

/** Says that a record was written by {@link toProposalRecord}, and who proposed: nobody else's word is taken for that. */
export const ACTOR_HEADER = 'stratalog-actor';
/** Tells by which model one of ours has checked the proposal. */
export const CHECKED_HEADER = 'stratalog-checked-by';
const FINGERPRINT_DIGITS = 12;

export interface ProposalRecord {
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * An entry of the log as JSON: a proposal in the form in which any producer writes them, or `proposals` of that form, which only we
 * write. The actor goes into a header.
 *
 * **Errors**: `TooLargeError` when the topic would not take it.
 */
export function* toProposalRecord(entry: ProposalEntry): Steps<ProposalRecord> {
  const [{ urn, actor, checkedBy }] = proposalsIn(entry);
  const text = yield* toText(entry);
  yield;
  const value = Buffer.from(text, 'utf8');
  if (value.length > MAX_VALUE_BYTES) {
    throw new TooLargeError(
      `The proposal for ${urn} has ${String(value.length)} bytes, the log takes ${String(MAX_VALUE_BYTES)}`,
    );
  }
  const checked = checkedBy === undefined ? {} : { [CHECKED_HEADER]: checkedBy.slice(0, FINGERPRINT_DIGITS) };
  return { value, headers: { [ACTOR_HEADER]: actor, ...checked } };
}

function* toText(entry: ProposalEntry): Steps<string> {
  if (!('proposals' in entry)) return stringifyJson(membersOf(entry));
  const texts: string[] = [];
  for (const proposal of entry.proposals) {
    texts.push(stringifyJson(membersOf(proposal)));
    yield;
  }
  return `{"proposals":[${texts.join(',')}]}`;
}

function membersOf(proposal: Proposal): JsonOutputObject {
  const { entityType, urn, aspectName, changeType, value, systemMetadata, headers, timestamps } = proposal;
  const contentType = changeType === 'PATCH' ? PATCH_CONTENT_TYPE : 'application/json';
  return {
    entityType,
    entityUrn: urn,
    changeType,
    aspectName,
    aspect: value === undefined ? undefined : { value, contentType },
    systemMetadata,
    headers: timestamps === undefined ? headers : { ...headers, ...formatTimeRangeHeaders(timestamps) },
  };
}

export interface RecordOrigin {
  /** Of one of ours; absent when somebody else has written the record. */
  readonly actor: string | undefined;
  /** The beginning of a model's fingerprint, where one of ours has checked the proposal. */
  readonly checkedBy?: string | undefined;
  /** Whom to name when nobody is named. */
  readonly unknownActor: string;
  /** When the log got it, epoch milliseconds. */
  readonly loggedMs: number;
  readonly urnOfKey?: UrnOfKey | undefined;
}

/** Reads a JSON record; anything that is no proposal comes back as its bytes with the reason. */
export function* proposalIn(bytes: Buffer, origin: RecordOrigin): Steps<LogContent<ProposalEntry>> {
  try {
    const text = UTF8.decode(bytes);
    const { actor, checkedBy } = origin;
    const value = yield* actor === undefined ? foreign(text, origin) : own(text, actor, checkedBy);
    return { kind: 'decoded', value };
  } catch (error) {
    return undecodable(bytes, error);
  }
}

/** What the writer parks: a record that is no proposal, whatever it is. */
export function undecodable(bytes: Uint8Array, cause: unknown): LogContent<ProposalEntry> {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const isOurs = cause instanceof StratalogError;
  return { kind: 'undecodable', bytes, reason: isOurs ? reason : `The record is no proposal: ${reason}` };
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

function* foreign(text: string, origin: RecordOrigin): Steps<Proposal> {
  return proposalOfMembers((yield* parseUntrustedInSteps(text)).value, origin);
}

/** Reads the members of a proposal that somebody else has written, in whatever encoding. */
export function proposalOfMembers(
  members: unknown,
  { unknownActor: actor, loggedMs: nowMs, urnOfKey }: Omit<RecordOrigin, 'actor'>,
): Proposal {
  if (!isJsonObject(members)) throw new InvalidProposalError('The record is no JSON object');
  const read = readProposal(members, { actor, nowMs, ...(urnOfKey === undefined ? {} : { urnOfKey }) });
  if ('proposal' in read) return read.proposal;
  const faults = read.faults.map(({ path, reason }) => `${path} ${reason}`).join('; ');
  throw new InvalidProposalError(`The record is no proposal: ${faults}`);
}

/**
 * Our own records hold text as it stands, never one character for each byte of it, so nothing is guessed.
 *
 * The beginning of a fingerprint equals none, so that every record is checked again: whoever can write to the topic can write headers.
 */
function* own(text: string, actor: string, checkedBy: string | undefined): Steps<ProposalEntry> {
  const members = (yield* parseUntrustedInSteps(text, { isBounded: false })).value as JsonObject;
  const read = (each: JsonValue): Proposal => ownProposal(isJsonObject(each) ? each : {}, actor, checkedBy);
  if (!Array.isArray(members.proposals)) return read(members);
  const proposals: Proposal[] = [];
  for (const each of members.proposals) {
    proposals.push(read(each));
    yield;
  }
  const [first, ...others] = proposals;
  if (first === undefined) throw new InvalidProposalError('The record is a batch without proposals');
  return { proposals: [first, ...others] };
}

function ownProposal(members: JsonObject, actor: string, checkedBy: string | undefined): Proposal {
  const { entityType, entityUrn, aspectName, changeType, aspect, systemMetadata } = members;
  const value = isJsonObject(aspect) ? aspect.value : undefined;
  for (const member of [entityType, entityUrn, aspectName, changeType, value ?? '']) {
    if (typeof member !== 'string')
      throw new InvalidProposalError('The record is no proposal of the catalog');
  }
  return {
    entityType: entityType as string,
    urn: entityUrn as string,
    aspectName: aspectName as string,
    changeType: changeType as ChangeType,
    ...(value === undefined ? {} : { value: value as string }),
    ...(isJsonObject(systemMetadata) ? { systemMetadata } : {}),
    ...ownHeaders(members.headers),
    actor,
    ...(checkedBy === undefined ? {} : { checkedBy }),
  };
}

/** The conditions, and the bounds of what is deleted. */
function ownHeaders(members: JsonValue | undefined): Pick<Proposal, 'headers' | 'timestamps'> {
  if (!isJsonObject(members)) return {};
  const headers = members as Record<string, string>;
  const read = parseTimeRangeHeaders(headers);
  if ('fault' in read)
    throw new InvalidProposalError(`The record is no proposal: ${read.header} ${read.fault}`);
  const bounds = formatTimeRangeHeaders(read.range ?? {});
  const conditions = Object.entries(headers).filter(([name]) => !(name in bounds));
  return {
    ...(conditions.length === 0 ? {} : { headers: Object.fromEntries(conditions) }),
    ...(read.range === undefined ? {} : { timestamps: read.range }),
  };
}
