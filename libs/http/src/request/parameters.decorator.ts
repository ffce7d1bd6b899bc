import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { isJsonObject, type JsonObject } from '@stratalog/json';
import { authorizeParameters } from './authorize-request';
import type { ParameterSource, SentParameters } from '../parameters/parse-parameters';
import { withoutNulls } from '../parameters/without-nulls';
import type { ParameterDocs } from '../routing/route-docs';
import type { QueryParameters } from './query-parameters';
import type { WireRequest } from './wire';

/**
 * The parameters of the request, parsed by the schema of its route; the first argument of a handler.
 *
 * **Errors**: `InvalidRequestError` that names the parameter that is missing or wrong; `ForbiddenError` when they touch what the caller may
 * not.
 */
export const Parameters = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const request = context.getArgByIndex<WireRequest>(0);
  const parameters = request.routeOptions.config.parse?.(readSource(request));
  authorizeParameters(request, parameters);
  return parameters;
});

/** Reads the parameters of a request as they were sent. */
export function readSource(request: WireRequest): ParameterSource {
  const { action, inQuery = [], listBody, inBody = [] } = request.routeOptions.config;
  if (action === undefined) {
    const source = readQuery(request, inQuery);
    const ofBody = listBody === undefined ? inBody : [listBody];
    return ofBody.length === 0 || !isJsonObject(request.body)
      ? source
      : { ...source, sent: { ...source.sent, ...pickMembers(request.body, ofBody) } };
  }
  const sent = withoutNulls(isJsonObject(request.body) ? request.body : {});
  return { sent, action, names: () => Object.keys(sent).filter((name) => sent[name] !== undefined) };
}

/** A member of the body must not stand for a parameter of the query. */
function pickMembers(body: JsonObject, names: readonly string[]): JsonObject {
  return withoutNulls(Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name))));
}

function readQuery(request: WireRequest, parameters: readonly ParameterDocs[]): ParameterSource {
  const query = request.query as QueryParameters;
  const sent: Record<string, unknown> = { ...(request.params as SentParameters) };
  for (const parameter of parameters) {
    const { name } = parameter;
    // A parameter without a value is a member that is `undefined`.
    if (query.has(name)) sent[name] = readValue(query, parameter);
  }
  return { sent, action: undefined, names: () => query.names() };
}

/** A required parameter without a value counts as absent, and so do numbers; other texts may be empty. */
function readValue(query: QueryParameters, { name, schema, isRequired, isList }: ParameterDocs): unknown {
  if (isList === true) return query.list(name);
  const text = query.optional(name);
  return text === '' && (isRequired === true || schema.type !== 'string') ? undefined : text;
}
