import { UnknownNames, isJsonObject, type JsonValue } from '@stratalog/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ActionParameters } from './action-parameters';
import type { QueryParameters } from './query-parameters';
import type { RouteFacts } from '../routing/route.decorators';

declare module 'fastify' {
  interface FastifyRequest {
    /** Urn of the caller. */
    actor: string;
    /** The objects and lists of the body that are large; null when none is. */
    largeParts: ReadonlySet<JsonValue> | null;
    /** The unknown names in the request; set once its body is parsed. */
    unknownNames: UnknownNames | undefined;
  }
  interface FastifyContextConfig {
    readonly action?: RouteFacts['action'];
    readonly access?: RouteFacts['access'];
    readonly dialect?: RouteFacts['dialect'];
    readonly takesLargeBody?: RouteFacts['takesLargeBody'];
    readonly docs?: RouteFacts['docs'];
    readonly inQuery?: RouteFacts['inQuery'];
    readonly parse?: RouteFacts['parse'];
  }
}

/** A request and its reply as controllers get them by `@Req()` and `@Res({ passthrough: true })`. */
export type WireRequest = FastifyRequest;
export type WireReply = FastifyReply;

export const PROTOCOL_HEADER = 'x-restli-protocol-version';

/** The parameters of the action that the request calls. */
export function actionParameters(request: WireRequest): ActionParameters {
  const { body } = request;
  const { action = '', docs } = request.routeOptions.config;
  return new ActionParameters(action, isJsonObject(body) ? body : {}, docs?.body?.required);
}

export function queryParameters(request: WireRequest): QueryParameters {
  const { parameters = [] } = request.routeOptions.config.docs ?? {};
  const required = parameters.filter((each) => each.in === 'query' && each.isRequired === true);
  return (request.query as QueryParameters).requiring(required.map(({ name }) => name));
}

/**
 * Returns the collector in which a controller notes ignored names. The controller settles it before it
 * changes anything.
 */
export function collectUnknownNames(request: WireRequest): UnknownNames {
  return (request.unknownNames ??= new UnknownNames(false));
}

/** The urn in the path, decoded. */
export function urnOf(request: WireRequest): string {
  return (request.params as { readonly urn?: string }).urn ?? '';
}

/** The urn of the caller: the operator's with a checked token, else that of an unknown user. */
export function actorOf(request: WireRequest): string {
  return request.actor;
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
