import {
  InvalidProposalError,
  PATCH_CONTENT_TYPE,
  StratalogError,
  TooLargeError,
  formatTimeRangeHeaders,
  parseTimeRangeHeaders,
  proposalsIn,
  readProposal,
  type ChangeType,
  type Proposal,
  type ProposalEntry,
  type UrnOfKey,
} from '@stratalog/domain';
import {
  MAX_JSON_VALUES,
  isJsonObject,
  parseUntrustedInSteps,
  stringifyJson,
  type JsonObject,
  type JsonOutputObject,
  type JsonValue,
  type Steps,
} from '@stratalog/json';
import type { LogContent } from '@stratalog/ports';
import { MAX_VALUE_BYTES } from '../cluster/message-size';

/**
 * Marks a record that {@link toProposalRecord} has written, and names the actor. The catalog trusts no actor in other
 * records.
 */
export const ACTOR_HEADER = 'stratalog-actor';
/** Names the model by which the catalog has validated the proposal. */
export const CHECKED_HEADER = 'stratalog-checked-by';
const FINGERPRINT_DIGITS = 12;
/** Least length of a value of a batch, on average: a proposal has about ten, and more than 120 characters. */
const CHARACTERS_PER_VALUE = 12;

export interface ProposalRecord {
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Encodes an entry of the log as JSON.
 *
 * A single proposal has the form that any producer writes. A batch is an object with `proposals` in that form, which
 * only the catalog writes. The actor goes into a header; a proposal of a batch by another actor than the first one names it.
 *
 * **Errors**: `TooLargeError` when the record exceeds the topic's limit.
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
  if (!('proposals' in entry)) return stringifyJson(toMembers(entry));
  const texts: string[] = [];
  const [first] = entry.proposals;
  for (const proposal of entry.proposals) {
    const actor = proposal.actor === first.actor ? undefined : proposal.actor;
    texts.push(stringifyJson({ ...toMembers(proposal), actor }));
    yield;
  }
  return `{"proposals":[${texts.join(',')}]}`;
}

function toMembers(proposal: Proposal): JsonOutputObject {
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
  /** Actor of a record that the catalog wrote; absent for records of other programs. */
  readonly actor: string | undefined;
  /** Prefix of a model's fingerprint, when the catalog has validated the proposal. */
  readonly checkedBy?: string | undefined;
  /** Actor for records without one. */
  readonly unknownActor: string;
  /** Time at which the log received the record. Epoch ms. */
  readonly loggedMs: number;
  readonly urnOfKey?: UrnOfKey | undefined;
}

/** Decodes a JSON record. A record that is not a proposal is returned as bytes with the reason. */
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

/** Builds the content of a record that is not a proposal; the writer turns it into a dead letter. */
export function undecodable(bytes: Uint8Array, cause: unknown): LogContent<ProposalEntry> {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const isOurs = cause instanceof StratalogError;
  return { kind: 'undecodable', bytes, reason: isOurs ? reason : `The record is no proposal: ${reason}` };
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

function* foreign(text: string, origin: RecordOrigin): Steps<Proposal> {
  return proposalOfMembers((yield* parseUntrustedInSteps(text)).value, origin);
}

/** Reads the members of a proposal that another program has written, in any encoding. */
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
 * Decodes a record that the catalog wrote. It holds text unchanged, never one character per byte, so nothing is
 * guessed. A batch may have more values than a request, but none that are shorter than those of proposals.
 *
 * The limits hold here too, and a fingerprint prefix equals no fingerprint, so the writer validates every record again: any producer of the topic can
 * write headers.
 */
function* own(text: string, actor: string, checkedBy: string | undefined): Steps<ProposalEntry> {
  const maxValues = Math.max(MAX_JSON_VALUES, Math.floor(text.length / CHARACTERS_PER_VALUE));
  const members = (yield* parseUntrustedInSteps(text, { maxValues })).value as JsonObject;
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
    ...splitHeaders(members.headers),
    actor: typeof members.actor === 'string' ? members.actor : actor,
    ...(checkedBy === undefined ? {} : { checkedBy }),
  };
}

/** Separates the conditional headers from the time range of a deletion. */
function splitHeaders(members: JsonValue | undefined): Pick<Proposal, 'headers' | 'timestamps'> {
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
