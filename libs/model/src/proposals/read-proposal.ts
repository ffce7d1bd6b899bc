import { InvalidProposalError } from '../errors/errors';
import type { JsonObject } from '../json/json';
import { FaultCollector, Members, type MemberFault } from './members';
import { didYouMean } from '../errors/near-name';
import { TIME_RANGE_HEADERS, canonicalTimeRangeHeader, parseTimeRangeHeaders } from './time-range-headers';
import { PRECONDITION_HEADERS, preconditionHeaderOf, parsePreconditions } from './preconditions';
import { CHANGE_TYPES, type ChangeType, type Proposal } from './proposal';
import { NO_RUN_ID, type SystemMetadata } from '../entities/system-metadata';
import { runIdFault } from '../entities/run-id';
import { textOfBytes } from '../json/text-of-bytes';
import { MAX_SCHEMA_FIELD_URN_BYTES } from '../entities/urn';

export interface ProposalContext {
  readonly actor: string;
  /** Epoch milliseconds: when the proposal was observed, unless it says so itself. */
  readonly nowMs: number;
  /** The urn of the entity with this key, which is JSON text, by the model; or why there is none. */
  readonly urnOfKey?: UrnOfKey;
}

/** What was read, or everything that is wrong with its members. */
export type ProposalReading = { readonly proposal: Proposal } | { readonly faults: readonly MemberFault[] };
export type SystemMetadataReading =
  { readonly systemMetadata: SystemMetadata } | { readonly faults: readonly MemberFault[] };

export type UrnOfKey = (
  entityType: string,
  key: string,
) => { readonly urn: string } | { readonly fault: string };

const CONTENT_TYPE = 'application/json';
/** How a patch may be called besides. */
export const PATCH_CONTENT_TYPE = 'application/json-patch+json';
/** The headers of a proposal that mean something; others are passed over. */
export const PROPOSAL_HEADERS: readonly string[] = [...PRECONDITION_HEADERS, ...TIME_RANGE_HEADERS];
const TEXTS = ['runId', 'lastRunId', 'pipelineName', 'registryName', 'registryVersion'] as const;

/**
 * Reads a proposal in the form that every producer writes: the members of the `proposal` parameter, or of a record in a log. Only
 * the form is checked here; whether the model allows it comes later.
 *
 * **Errors**: members that are missing or of the wrong type are the answer, all at once; `InvalidProposalError` for an aspect in another
 * serialization than JSON, and for a key that no urn stands for, when nothing else is wrong.
 *
 * **Source**: contract, `POST /aspects?action=ingestProposal`; entity and aspect behaviour, section 9.1.
 */
export function readProposal(proposal: JsonObject, context: ProposalContext): ProposalReading {
  const members = new Members('', proposal);
  const faults = new FaultCollector();
  const entityType = faults.attempt(() => members.requiredText('entityType'), '');
  const urn = faults.attempt(() => urnIn(members, context), '');
  const aspectName = faults.attempt(() => members.requiredText('aspectName'), '');
  const changeType = faults.attempt(() => parseChangeType(members), 'UPSERT');
  const value = faults.attempt(() => valueOf(members, changeType), {});
  const systemMetadata = decodeSystemMetadata(
    faults.attempt(() => members.optionalObjectOrText('systemMetadata'), undefined),
    { nowMs: context.nowMs, faults },
  );
  const headers = faults.attempt(() => headersOf(members, changeType), {});
  const timestamps = faults.attempt(() => parseTimestampRange(members, changeType), {});
  const found = faults.settle();
  if (found.length > 0) return { faults: found };
  const { actor } = context;
  const target = { entityType, urn, aspectName, changeType };
  return { proposal: { ...target, ...value, systemMetadata, ...headers, ...timestamps, actor } };
}

/**
 * Reads system metadata that stand beside what is written; paths begin in them.
 *
 * **Errors**: none are thrown; members of the wrong type are the answer.
 */
export function readSystemMetadata(
  given: JsonObject | undefined,
  { nowMs }: Pick<ProposalContext, 'nowMs'>,
): SystemMetadataReading {
  const faults = new FaultCollector();
  const members = given === undefined ? undefined : new Members('', given);
  const systemMetadata = decodeSystemMetadata(members, { nowMs, faults });
  const found = faults.settle();
  return found.length > 0 ? { faults: found } : { systemMetadata };
}

/** What is taken away needs no value, whatever stands there. */
function valueOf(proposal: Members, changeType: ChangeType): Pick<Proposal, 'value'> {
  const aspect = changeType === 'DELETE' ? undefined : proposal.optionalObject('aspect');
  if (aspect === undefined) return {};
  const value = textOfBytes(aspect.requiredText('value'));
  checkContentType(
    'aspect',
    aspect.optionalText('contentType'),
    changeType === 'PATCH' ? [PATCH_CONTENT_TYPE] : [],
  );
  return { value };
}

/** Whoever names an entity by its key instead of its urn means the urn that has this key. */
function urnIn(members: Members, { urnOfKey }: ProposalContext): string {
  const urn = members.optionalText('entityUrn');
  const key = members.optionalObject('entityKeyAspect');
  const keyText = key?.requiredText('value');
  checkContentType('entityKeyAspect', key?.optionalText('contentType'));
  if (urn !== undefined) return unescapeUrn(urn);
  if (keyText === undefined || urnOfKey === undefined) return members.missing('entityUrn');
  const made = urnOfKey(members.requiredText('entityType'), textOfBytes(keyText));
  if ('urn' in made) return made.urn;
  throw new InvalidProposalError(`proposal.entityKeyAspect: ${made.fault}`);
}

function checkContentType(
  member: string,
  contentType: string | undefined,
  patches: readonly string[] = [],
): void {
  const [type = ''] = (contentType ?? CONTENT_TYPE).split(';');
  if ([CONTENT_TYPE, ...patches].includes(type.trim().toLowerCase())) return;
  throw new InvalidProposalError(
    `proposal.${member}.contentType ${contentType} is not supported; send ${[CONTENT_TYPE, ...patches].join(' or ')}`,
  );
}

function parseChangeType(members: Members): ChangeType {
  const text = members.requiredText('changeType');
  const known = CHANGE_TYPES.find((type) => type === text);
  if (known !== undefined) return known;
  const near = didYouMean(text, CHANGE_TYPES);
  return members.reject(
    'changeType',
    `"${text.slice(0, 100)}" is not one of ${CHANGE_TYPES.join(', ')}${near}`,
  );
}

/**
 * A header that sets a condition must be understood, or the proposal would count where it must not. Others mean nothing and are left out.
 */
function headersOf(proposal: Members, changeType: ChangeType): Pick<Proposal, 'headers'> {
  const given = proposal.optionalObject('headers');
  if (given === undefined) return {};
  const headers = given.named(preconditionHeaderOf);
  const read = parsePreconditions(headers);
  if ('fault' in read) return given.reject(read.header, read.fault);
  const isCreation = changeType === 'CREATE' || changeType === 'CREATE_ENTITY';
  if (read.preconditions.passesOverExisting === true && !isCreation) {
    return given.reject('If-None-Match', `means nothing with ${changeType}; use CREATE or CREATE_ENTITY`);
  }
  return Object.keys(headers).length === 0 ? {} : { headers };
}

/** A deletion whose bounds were passed over would take everything away. */
function parseTimestampRange(proposal: Members, changeType: ChangeType): Pick<Proposal, 'timestamps'> {
  const given = proposal.optionalObject('headers');
  if (given === undefined) return {};
  const headers = given.named(canonicalTimeRangeHeader);
  const [first] = Object.keys(headers);
  if (first !== undefined && changeType !== 'DELETE') {
    return given.reject(
      first,
      `means nothing with ${changeType}; it bounds the points that DELETE takes away`,
    );
  }
  const read = parseTimeRangeHeaders(headers);
  if ('fault' in read) return given.reject(read.header, read.fault);
  return read.range === undefined ? {} : { timestamps: read.range };
}

/** The newest Python client writes non-ASCII characters of a urn as backslash-u text; no urn holds such text otherwise. */
export function unescapeUrn(urn: string): string {
  if (urn.length > MAX_ESCAPED_LENGTH) return urn;
  return urn.replace(/\\u([0-9a-fA-F]{4})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

/** Each character of the longest urn as six. A longer one is none in any form. */
const MAX_ESCAPED_LENGTH = 6 * MAX_SCHEMA_FIELD_URN_BYTES;

/** Names that producers give to what they are; every version keeps them. **Units**: bytes of UTF-8. */
const MAX_NAME_BYTES = 1_024;

function textFault(name: (typeof TEXTS)[number], text: string): string | undefined {
  if (name === 'runId' || name === 'lastRunId') return runIdFault(text);
  return Buffer.byteLength(text) > MAX_NAME_BYTES
    ? `is longer than ${String(MAX_NAME_BYTES)} bytes of UTF-8`
    : undefined;
}

/** Members of other names are dropped; `lastObserved` and `runId` are always there. */
function decodeSystemMetadata(
  members: Members | undefined,
  { nowMs, faults }: { readonly nowMs: number; readonly faults: FaultCollector },
): SystemMetadata {
  const metadata: JsonObject = { lastObserved: nowMs, runId: NO_RUN_ID };
  if (members === undefined) return metadata;
  metadata.lastObserved = faults.attempt(() => members.optionalTime('lastObserved') ?? nowMs, nowMs);
  for (const name of TEXTS) {
    const text = faults.attempt(() => checkedText(members, name), undefined);
    if (text !== undefined) metadata[name] = text;
  }
  const properties = faults.attempt(() => members.optionalObject('properties')?.texts(), undefined);
  if (properties !== undefined) metadata.properties = properties;
  return metadata;
}

function checkedText(members: Members, name: (typeof TEXTS)[number]): string | undefined {
  const text = members.optionalText(name);
  const fault = text === undefined ? undefined : textFault(name, text);
  return fault === undefined ? text : members.reject(name, fault);
}
