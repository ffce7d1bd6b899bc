import { FaultError, UnknownNames, type Principal, type Proposal } from '@stratalog/domain';
import type { JsonValue } from '@stratalog/json';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestMemory } from '../admission/request-memory';
import type { DefinedRoute } from '../routing/define-route';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null until it is authenticated. */
    principal: Principal | null;
    /** The memory that the request takes; null until it is admitted. */
    memory: RequestMemory | null;
    /** The objects and lists of the body that are large; null when none is. */
    largeParts: ReadonlySet<JsonValue> | null;
    /** The proposals for which the call has an audit record; null without one. */
    audited: AuditedWrite[] | null;
    /** The unknown names in the request; set once its body is parsed. */
    unknownNames: UnknownNames | undefined;
  }
  /** Members of the route; none when no route matches the request. */
  interface FastifyContextConfig {
    readonly action?: DefinedRoute['action'];
    readonly access?: DefinedRoute['access'];
    readonly effect?: DefinedRoute['effect'];
    readonly dialect?: DefinedRoute['dialect'];
    readonly resourceMetadata?: DefinedRoute['resourceMetadata'];
    readonly isStream?: DefinedRoute['isStream'];
    readonly otherType?: DefinedRoute['otherType'];
    readonly takesLargeBody?: DefinedRoute['takesLargeBody'];
    readonly writes?: DefinedRoute['writes'];
    readonly docs?: DefinedRoute['docs'];
    readonly inQuery?: DefinedRoute['inQuery'];
    readonly listBody?: DefinedRoute['listBody'];
    readonly inBody?: DefinedRoute['inBody'];
    readonly touches?: DefinedRoute['touches'];
    readonly parse?: DefinedRoute['parse'];
  }
}

/** A write as audit records name it; without an aspect, that of the whole entity. */
interface AuditedWrite extends Pick<Proposal, 'urn' | 'changeType'> {
  readonly aspectName?: string | undefined;
}

/** A request and its reply as controllers get them by `@Req()` and `@Res({ passthrough: true })`. */
export type WireRequest = FastifyRequest;
export type WireReply = FastifyReply;

export const PROTOCOL_HEADER = 'x-restli-protocol-version';

/**
 * Returns the collector in which a controller notes ignored names. The controller settles it before it
 * changes anything.
 */
export function collectUnknownNames(request: WireRequest): UnknownNames {
  return (request.unknownNames ??= new UnknownNames(false));
}

/** The caller of an admitted request. */
export function principalOf({ principal }: WireRequest): Principal {
  if (principal === null) throw new FaultError('The request is not authenticated yet');
  return principal;
}

/** The urn of the caller: that of a checked token, else that of an unknown user. */
export function actorOf(request: WireRequest): string {
  return principalOf(request).actor;
}

/** Returns the objects and lists of the body that are large; code that walks one must do so in steps. */
export function findLargeParts(request: WireRequest): ReadonlySet<JsonValue> {
  return request.largeParts ?? new Set();
}

/** True when the caller requests protocol 2.0.0; some answers have another shape then. */
export function speaksProtocol2(request: WireRequest): boolean {
  return request.headers[PROTOCOL_HEADER] === '2.0.0';
}

/** The protocol version for the answer's header: the caller's when it requests the old one. */
export function answeredProtocol(request: WireRequest): string {
  return request.headers[PROTOCOL_HEADER] === '1.0.0' ? '1.0.0' : '2.0.0';
}
