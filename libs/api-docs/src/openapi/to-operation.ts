import { needsToken, type AuthMode, type DocumentedRoute, type ParameterDocs } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/json';
import { anyOf, operationIdOf, type Components, type OperationRoutes } from './components';
import { describeResponses } from './describe-responses';

/** Describes one method of one path, with all its actions. */
export function toOperation(
  routes: OperationRoutes,
  mode: AuthMode,
  components: Components,
): JsonOutputObject {
  const [{ docs, method, path, action }, ...others] = routes;
  const isOne = others.length === 0;
  return {
    operationId: operationIdOf({ method, path, ...(isOne && action !== undefined ? { action } : {}) }),
    tags: [...new Set(routes.map((route) => route.docs.group))],
    summary: isOne ? docs.summary : `Actions of ${path}`,
    description: isOne ? docs.description : toList(routes),
    ...(routes.every((route) => route.docs.deprecated !== undefined) ? { deprecated: true } : {}),
    parameters: [...actionParameter(routes), ...toParameters(routes)],
    requestBody: describeRequestBody(routes, components),
    responses: describeResponses(routes, mode, components),
    security: describeSecurity(routes, mode),
    ...(action === undefined ? {} : { 'x-actions': describeActions(routes, mode, components) }),
  };
}

function toList(routes: OperationRoutes): string {
  return routes.map(({ action = '', docs }) => `- \`${action}\`: ${docs.summary}`).join('\n');
}

function actionParameter(routes: OperationRoutes): readonly JsonOutputObject[] {
  const actions = routes.flatMap(({ action }) => (action === undefined ? [] : [action]));
  if (actions.length === 0) return [];
  const schema = { type: 'string', enum: actions };
  return [{ in: 'query', name: 'action', description: 'What is to be done.', required: true, schema }];
}

/** Each parameter once, required when every action requires it. */
function toParameters(routes: OperationRoutes): readonly JsonOutputObject[] {
  const all = new Map<string, ParameterDocs>();
  const required = new Map<string, number>();
  for (const parameter of routes.flatMap(({ docs }) => docs.parameters)) {
    const key = `${parameter.in} ${parameter.name.toLowerCase()}`;
    all.set(key, all.get(key) ?? parameter);
    if (parameter.isRequired === true) required.set(key, (required.get(key) ?? 0) + 1);
  }
  const isThere = ({ in: place, name }: ParameterDocs): boolean =>
    place !== 'path' || routes[0].path.split('/').includes(`:${name}`);
  const there = [...all].filter(([, parameter]) => isThere(parameter));
  return there.map(([key, { in: place, name, description, schema }]) => ({
    in: place,
    name,
    description,
    required: place === 'path' || required.get(key) === routes.length,
    schema: { ...schema } as JsonOutputObject,
  }));
}

function describeRequestBody(routes: OperationRoutes, components: Components): JsonOutputObject | undefined {
  const schemas = routes.map((route) => components.request(route)).filter((schema) => schema !== undefined);
  if (schemas.length === 0) return undefined;
  const examples = routes.flatMap(({ action = 'call', docs }) =>
    docs.examples.map(({ title, body = {} }, at) => [
      `${action}-${String(at + 1)}`,
      { summary: title, value: body },
    ]),
  );
  return {
    required: routes.every(
      ({ docs: { body } }) => body?.type === 'array' || (body?.required ?? []).length > 0,
    ),
    content: {
      'application/json': {
        schema: anyOf(schemas),
        examples: Object.fromEntries(examples) as JsonOutputObject,
      },
    },
  };
}

/** A token that only some actions need is optional; `x-actions` marks those actions. */
function describeSecurity(routes: OperationRoutes, mode: AuthMode): readonly JsonOutputObject[] {
  const needs = routes.map(({ access }) => needsToken(mode, access));
  if (needs.every(Boolean)) return [{ token: [] }];
  return needs.some(Boolean) ? [{}, { token: [] }] : [];
}

function describeActions(routes: OperationRoutes, mode: AuthMode, components: Components): JsonOutputObject {
  const described = (route: DocumentedRoute): JsonOutputObject => ({
    summary: route.docs.summary,
    deprecated: route.docs.deprecated,
    request: components.request(route),
    response: components.response(route),
    security: describeSecurity([route], mode),
  });
  return Object.fromEntries(routes.map((route) => [route.action ?? '', described(route)]));
}
