import { InvalidProposalError } from '../errors/errors';
import { type JsonObject, textOfBytes } from '@stratalog/json';
import { FaultCollector, Members, type MemberFault } from './members';
import { didYouMean } from '../errors/near-name';
import { TIME_RANGE_HEADERS, canonicalTimeRangeHeader, parseTimeRangeHeaders } from './time-range-headers';
import { PRECONDITION_HEADERS, canonicalPreconditionHeader, parsePreconditions } from './preconditions';
import { CHANGE_TYPES, type ChangeType, type Proposal } from './proposal';
import { NO_RUN_ID, type SystemMetadata } from '../entities/system-metadata';
import { runIdFault } from '../entities/run-id';
import { MAX_SCHEMA_FIELD_URN_BYTES } from '../entities/urn';

export interface ProposalContext {
  readonly actor: string;
  /** Epoch milliseconds. Default for `lastObserved` when the proposal has none. */
  readonly nowMs: number;
  /** Computes the urn of the entity with this key (JSON text) by the model, or returns the key's fault. */
  readonly urnOfKey?: UrnOfKey;
}

/** The proposal, or all faults of its members. */
export type ProposalReading = { readonly proposal: Proposal } | { readonly faults: readonly MemberFault[] };
export type SystemMetadataReading =
  | { readonly systemMetadata: SystemMetadata }
  | { readonly faults: readonly MemberFault[] };

export type UrnOfKey = (
  entityType: string,
  key: string,
) => { readonly urn: string } | { readonly fault: string };

const CONTENT_TYPE = 'application/json';
/** Additional content type of a patch. */
export const PATCH_CONTENT_TYPE = 'application/json-patch+json';
/** Canonical names of the headers with a known meaning; others are ignored. */
export const PROPOSAL_HEADERS: readonly string[] = [...PRECONDITION_HEADERS, ...TIME_RANGE_HEADERS];
const TEXTS = ['runId', 'lastRunId', 'pipelineName', 'registryName', 'registryVersion'] as const;

/**
 * Reads a proposal in the form that every producer writes: the `proposal` parameter, or a log record.
 * Checks only the form; the check against the model comes later.
 *
 * **Errors**: returns all missing members and members of a wrong type at once. Throws `InvalidProposalError` for an
 * aspect with a content type other than JSON, and for a key without a urn, when there is no other fault.
 *
 * **Source**: `models/messages/MetadataChangeProposal.pdl`; `docs/wire-decisions.md`, Writing.
 */
export function readProposal(proposal: JsonObject, context: ProposalContext): ProposalReading {
  const members = new Members('', proposal);
  const faults = new FaultCollector();
  const entityType = faults.attempt(() => members.requiredText('entityType'), '');
  const urn = faults.attempt(() => readUrn(members, context), '');
  const aspectName = faults.attempt(() => members.requiredText('aspectName'), '');
  const changeType = faults.attempt(() => parseChangeType(members), 'UPSERT');
  const value = faults.attempt(() => readValue(members, changeType), {});
  const systemMetadata = decodeSystemMetadata(
    faults.attempt(() => members.optionalObjectOrText('systemMetadata'), undefined),
    { nowMs: context.nowMs, faults },
  );
  const headers = faults.attempt(() => readPreconditionHeaders(members, changeType), {});
  const timestamps = faults.attempt(() => parseTimestampRange(members, changeType), {});
  const memberFaults = faults.settle();
  if (memberFaults.length > 0) return { faults: memberFaults };
  const { actor } = context;
  const target = { entityType, urn, aspectName, changeType };
  return { proposal: { ...target, ...value, systemMetadata, ...headers, ...timestamps, actor } };
}

/**
 * Reads the system metadata that accompany a write; fault paths start there.
 *
 * **Errors**: throws none; returns the members of a wrong type.
 */
export function readSystemMetadata(
  given: JsonObject | undefined,
  { nowMs }: Pick<ProposalContext, 'nowMs'>,
): SystemMetadataReading {
  const faults = new FaultCollector();
  const members = given === undefined ? undefined : new Members('', given);
  const systemMetadata = decodeSystemMetadata(members, { nowMs, faults });
  const memberFaults = faults.settle();
  return memberFaults.length > 0 ? { faults: memberFaults } : { systemMetadata };
}

/** A deletion needs no value, so its `aspect` member is ignored. */
function readValue(proposal: Members, changeType: ChangeType): Pick<Proposal, 'value'> {
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

/** Reads the urn, or computes it from the key when the proposal names its entity by the key. */
function readUrn(members: Members, { urnOfKey }: ProposalContext): string {
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
  if (contentType === undefined) return;
  const [type = ''] = contentType.split(';');
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
 * Rejects an invalid precondition, because ignoring it would apply the proposal against the sender's intention. Drops
 * headers without a known meaning.
 */
function readPreconditionHeaders(proposal: Members, changeType: ChangeType): Pick<Proposal, 'headers'> {
  const given = proposal.optionalObject('headers');
  if (given === undefined) return {};
  const headers = given.named(canonicalPreconditionHeader);
  const read = parsePreconditions(headers);
  if ('fault' in read) return given.reject(read.header, read.fault);
  const isCreation = changeType === 'CREATE' || changeType === 'CREATE_ENTITY';
  if (read.preconditions.passesOverExisting === true && !isCreation) {
    return given.reject('If-None-Match', `means nothing with ${changeType}; use CREATE or CREATE_ENTITY`);
  }
  return Object.keys(headers).length === 0 ? {} : { headers };
}

/** Rejects invalid bounds, because a deletion without them would delete every value. */
function parseTimestampRange(proposal: Members, changeType: ChangeType): Pick<Proposal, 'timestamps'> {
  const given = proposal.optionalObject('headers');
  if (given === undefined) return {};
  const headers = given.named(canonicalTimeRangeHeader);
  const [first] = Object.keys(headers);
  if (first !== undefined && changeType !== 'DELETE') {
    return given.reject(
      first,
      `means nothing with ${changeType}; it bounds the timeseries values that DELETE removes`,
    );
  }
  const read = parseTimeRangeHeaders(headers);
  if ('fault' in read) return given.reject(read.header, read.fault);
  return read.range === undefined ? {} : { timestamps: read.range };
}

/**
 * Decodes backslash-u escapes in a urn: the newest Python client writes non-ASCII characters that way. No urn
 * contains such text otherwise.
 */
export function unescapeUrn(urn: string): string {
  if (urn.length > MAX_ESCAPED_LENGTH) return urn;
  return urn.replace(/\\u([0-9a-fA-F]{4})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

/** Length of the longest urn with each character escaped to six. A longer text is never a valid urn. */
const MAX_ESCAPED_LENGTH = 6 * MAX_SCHEMA_FIELD_URN_BYTES;

/** Longest name of a pipeline, registry or registry version; every version stores them. **Units**: bytes of UTF-8. */
const MAX_NAME_BYTES = 1_024;

function textFault(name: (typeof TEXTS)[number], text: string): string | undefined {
  if (name === 'runId' || name === 'lastRunId') return runIdFault(text);
  return Buffer.byteLength(text) > MAX_NAME_BYTES
    ? `is longer than ${String(MAX_NAME_BYTES)} bytes of UTF-8`
    : undefined;
}

/** Reads the known members and drops others; always sets `lastObserved` and `runId`. */
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
  if (properties !== undefined) metadata.properties = withoutRestoredMarks(properties);
  return metadata;
}

/** Names of the properties by which a rollback says which version it has restored, and as which one. */
export const RESTORED_VERSION = 'restoredVersion';
export const RESTORED_AS = 'restoredAs';

/** Drops what the catalog alone says. Clients copy properties from reads to writes, and a later rollback would skip the versions between. */
function withoutRestoredMarks(properties: JsonObject): JsonObject {
  const marks = [RESTORED_VERSION, RESTORED_AS];
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !marks.includes(name)));
}

function checkedText(members: Members, name: (typeof TEXTS)[number]): string | undefined {
  const text = members.optionalText(name);
  const fault = text === undefined ? undefined : textFault(name, text);
  return fault === undefined ? text : members.reject(name, fault);
}
