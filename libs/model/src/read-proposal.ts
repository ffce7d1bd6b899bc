import { InvalidProposalError } from './errors';
import { isJsonObject, type JsonObject, type JsonValue } from './json';
import { parseUntrustedJson } from './parse-untrusted-json';
import { pointRangeHeaderOf, pointRangeIn } from './point-range';
import { preconditionHeaderOf, preconditionsOf } from './preconditions';
import { CHANGE_TYPES, type ChangeType, type Proposal } from './proposal';
import { NO_RUN_ID, type SystemMetadata } from './system-metadata';
import { runIdFault } from './run-id';
import { textOfBytes } from './text-of-bytes';
import { MAX_SCHEMA_FIELD_URN_BYTES } from './urn';

export interface ProposalContext {
  readonly actor: string;
  /** Epoch milliseconds: when the proposal was observed, unless it says so itself. */
  readonly nowMs: number;
  /** The urn of the entity with this key, which is JSON text, by the model; or why there is none. */
  readonly urnOfKey?: UrnOfKey;
  /** Throws, given the path of a member and what is wrong with it. */
  readonly refuse: (path: string, reason: string) => never;
}

export type UrnOfKey = (
  entityType: string,
  key: string,
) => { readonly urn: string } | { readonly fault: string };

const CONTENT_TYPE = 'application/json';
/** How a patch may be called besides. */
export const PATCH_CONTENT_TYPE = 'application/json-patch+json';
const TEXTS = ['runId', 'lastRunId', 'pipelineName', 'registryName', 'registryVersion'] as const;

/**
 * Reads a proposal in the form that every producer writes: the members of the `proposal` parameter, or of a record in a log. Only
 * the form is checked here; whether the model allows it comes later.
 *
 * **Errors**: what `refuse` throws, for a member that is missing or of the wrong type; `InvalidProposalError` for an aspect in
 * another serialization than JSON, and for a key that no urn stands for.
 *
 * **Source**: contract, `POST /aspects?action=ingestProposal`; entity and aspect behaviour, section 9.1.
 */
export function readProposal(proposal: JsonObject, context: ProposalContext): Proposal {
  const members = new Members(context.refuse, '', proposal);
  const entityType = members.requiredText('entityType');
  const urn = urnIn(members, context);
  const aspectName = members.requiredText('aspectName');
  const changeType = changeTypeOf(members);
  return {
    entityType,
    urn,
    aspectName,
    changeType,
    ...valueOf(members, changeType),
    systemMetadata: systemMetadataOf(members.optionalObjectOrText('systemMetadata'), context.nowMs),
    ...headersOf(members, changeType),
    ...pointsWithinIn(members, changeType),
    actor: context.actor,
  };
}

/**
 * Reads system metadata that stand beside what is written; paths begin in them.
 *
 * **Errors**: what `refuse` throws, for a member of the wrong type.
 */
export function readSystemMetadata(
  given: JsonObject | undefined,
  { nowMs, refuse }: Pick<ProposalContext, 'nowMs' | 'refuse'>,
): SystemMetadata {
  return systemMetadataOf(given === undefined ? undefined : new Members(refuse, '', given), nowMs);
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
  if (keyText === undefined || urnOfKey === undefined) return members.refuse('entityUrn', 'is required');
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

function changeTypeOf(members: Members): ChangeType {
  const text = members.requiredText('changeType');
  const known = CHANGE_TYPES.find((type) => type === text);
  return (
    known ?? members.refuse('changeType', `"${text.slice(0, 100)}" is not one of ${CHANGE_TYPES.join(', ')}`)
  );
}

/**
 * A header that sets a condition must be understood, or the proposal would count where it must not. Others mean nothing and are left out.
 */
function headersOf(proposal: Members, changeType: ChangeType): Pick<Proposal, 'headers'> {
  const given = proposal.optionalObject('headers');
  if (given === undefined) return {};
  const headers = given.named(preconditionHeaderOf);
  const read = preconditionsOf(headers);
  if ('fault' in read) return given.refuse(read.header, read.fault);
  const isCreation = changeType === 'CREATE' || changeType === 'CREATE_ENTITY';
  if (read.preconditions.passesOverExisting === true && !isCreation) {
    return given.refuse('If-None-Match', `means nothing with ${changeType}; use CREATE or CREATE_ENTITY`);
  }
  return Object.keys(headers).length === 0 ? {} : { headers };
}

/** A deletion whose bounds were passed over would take everything away. */
function pointsWithinIn(proposal: Members, changeType: ChangeType): Pick<Proposal, 'pointsWithin'> {
  const given = proposal.optionalObject('headers');
  if (given === undefined) return {};
  const headers = given.named(pointRangeHeaderOf);
  const [first] = Object.keys(headers);
  if (first !== undefined && changeType !== 'DELETE') {
    return given.refuse(
      first,
      `means nothing with ${changeType}; it bounds the points that DELETE takes away`,
    );
  }
  const read = pointRangeIn(headers);
  if ('fault' in read) return given.refuse(read.header, read.fault);
  return read.range === undefined ? {} : { pointsWithin: read.range };
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
function systemMetadataOf(members: Members | undefined, nowMs: number): SystemMetadata {
  const metadata: JsonObject = {
    lastObserved: members?.optionalTime('lastObserved') ?? nowMs,
    runId: NO_RUN_ID,
  };
  if (members === undefined) return metadata;
  for (const name of TEXTS) {
    const text = members.optionalText(name);
    if (text === undefined) continue;
    const fault = textFault(name, text);
    if (fault !== undefined) members.refuse(name, fault);
    metadata[name] = text;
  }
  const properties = members.optionalObject('properties');
  if (properties !== undefined) metadata.properties = properties.texts();
  return metadata;
}

/** The members of one nested object, read with their full path in every refusal. */
class Members {
  constructor(
    private readonly refuseAt: ProposalContext['refuse'],
    private readonly path: string,
    private readonly object: JsonObject,
  ) {}

  requiredText(name: string): string {
    return this.optionalText(name) ?? this.refuse(name, 'is required');
  }

  optionalText(name: string): string | undefined {
    const value = this.member(name);
    if (value === undefined || typeof value === 'string') return value;
    return this.refuse(name, 'is not a string');
  }

  /** An epoch millisecond; 0 stands for none. */
  optionalTime(name: string): number | undefined {
    const value = this.member(name);
    if (value === undefined || value === 0) return undefined;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
    return this.refuse(name, 'is not a time in epoch milliseconds');
  }

  optionalObject(name: string): Members | undefined {
    const value = this.member(name);
    if (value === undefined) return undefined;
    if (!isJsonObject(value)) return this.refuse(name, 'is not an object');
    return new Members(this.refuseAt, this.pathOf(name), value);
  }

  /** One command of the newest client sends this object as JSON text. */
  optionalObjectOrText(name: string): Members | undefined {
    const value = this.member(name);
    if (typeof value !== 'string') return this.optionalObject(name);
    const object = objectIn(value);
    if (object === undefined) return this.refuse(name, 'is neither an object nor the JSON text of one');
    return new Members(this.refuseAt, this.pathOf(name), object);
  }

  /** Names of the members that are not null. */
  names(): string[] {
    return Object.keys(this.object).filter((name) => this.member(name) !== undefined);
  }

  /** The texts whose names mean something, by their usual names. */
  named(meaningOf: (name: string) => string | undefined): Record<string, string> {
    const named: Record<string, string> = {};
    for (const name of this.names()) {
      const known = meaningOf(name);
      if (known === undefined) continue;
      if (known in named) this.refuse(name, 'is there twice');
      named[known] = this.requiredText(name);
    }
    return named;
  }

  texts(): JsonObject {
    const texts: JsonObject = {};
    for (const name of Object.keys(this.object)) {
      const text = this.optionalText(name);
      if (text !== undefined) texts[name] = text;
    }
    return texts;
  }

  refuse(name: string, reason: string): never {
    return this.refuseAt(this.pathOf(name), reason);
  }

  private pathOf(name: string): string {
    return this.path === '' ? name : `${this.path}/${name}`;
  }

  private member(name: string): JsonValue | undefined {
    return Object.hasOwn(this.object, name) ? (this.object[name] ?? undefined) : undefined;
  }
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value = parseUntrustedJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
