import type { AuthMode } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/model';
import { refusalsOf } from '../refusals-of';
import { anyOf, type Components, type OperationRoutes } from './components';

const JSON_TYPE = 'application/json';

/** What the routes of one operation answer, by status. */
export function responsesOf(
  routes: OperationRoutes,
  mode: AuthMode,
  components: Components,
): JsonOutputObject {
  const content = answerContent(routes, components);
  const described = routes.map(({ docs }) => docs.answer.description);
  const also = routes.flatMap(({ docs }) => Object.entries(docs.answersAlso ?? {}));
  return {
    '200': { description: joined(described), headers: headersOf(routes), content },
    ...Object.fromEntries(also.map(([status, description]) => [status, { description, content }])),
    ...refusals(routes, mode, components),
  };
}

function refusals(routes: OperationRoutes, mode: AuthMode, components: Components): JsonOutputObject {
  const reasons = new Map<number, string[]>();
  for (const [status, why] of routes.flatMap((route) => [...refusalsOf(route, mode)]))
    reasons.set(status, [...(reasons.get(status) ?? []), why]);
  const content = { [JSON_TYPE]: { schema: components.error } };
  return Object.fromEntries(
    [...reasons].map(([status, all]) => [status, { description: joined(all), content }]),
  );
}

function headersOf(routes: OperationRoutes): JsonOutputObject | undefined {
  const headers = routes.flatMap(({ docs }) => Object.entries(docs.answer.headers ?? {}));
  if (headers.length === 0) return undefined;
  return Object.fromEntries(
    headers.map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
}

/** None for routes whose answers are empty. */
function answerContent(routes: OperationRoutes, components: Components): JsonOutputObject | undefined {
  const types = new Set(routes.flatMap(({ docs }) => docs.answer.contentTypes ?? [JSON_TYPE]));
  const schemas = routes.map((route) => components.response(route)).filter((schema) => schema !== undefined);
  const isText = routes.some(
    ({ docs }) => docs.answer.contentTypes !== undefined && docs.answer.schema === undefined,
  );
  const all = isText ? [...schemas, { type: 'string' }] : schemas;
  if (all.length === 0) return undefined;
  return Object.fromEntries([...types].map((type) => [type, { schema: anyOf(all) }]));
}

function joined(texts: readonly string[]): string {
  return [...new Set(texts)].join(' Or: ');
}
