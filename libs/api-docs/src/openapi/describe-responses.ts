import { REGISTRY_CONTENT_TYPE, type AuthMode, type DocumentedRoute } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/json';
import { toRejections } from '../rejections';
import { anyOf, type Components, type OperationRoutes } from './components';

const JSON_TYPE = 'application/json';

/** Describes the answers of one operation's routes, by status. */
export function describeResponses(
  routes: OperationRoutes,
  mode: AuthMode,
  components: Components,
): JsonOutputObject {
  const content = answerContent(routes, components);
  const described = routes.flatMap(({ docs }) => docs.answer?.description ?? []);
  const also = routes.flatMap(({ docs }) => Object.entries(docs.answersAlso ?? {}));
  return {
    ...(described.length === 0
      ? { default: { description: 'Always rejected.', content: rejectedContent(routes, components) } }
      : { '200': { description: joined(described), headers: describeHeaders(routes), content } }),
    ...Object.fromEntries(also.map(([status, description]) => [status, { description, content }])),
    ...rejections(routes, mode, components),
  };
}

function rejections(routes: OperationRoutes, mode: AuthMode, components: Components): JsonOutputObject {
  const reasons = new Map<number, string[]>();
  for (const [status, why] of routes.flatMap((route) => [...toRejections(route, mode)]))
    reasons.set(status, [...(reasons.get(status) ?? []), why]);
  const own = rejectedContent(routes, components);
  // The answer to an unrouted request has the contract's form, whatever the path.
  const unrouted = { ...own, [JSON_TYPE]: { schema: components.error(undefined) } };
  return Object.fromEntries(
    [...reasons].map(([status, all]) => [
      status,
      { description: joined(all), content: status === 400 ? unrouted : own },
    ]),
  );
}

function rejectedContent([{ dialect }]: OperationRoutes, components: Components): JsonOutputObject {
  return { [typeOf(dialect)]: { schema: components.error(dialect) } };
}

function describeHeaders(routes: OperationRoutes): JsonOutputObject | undefined {
  const headers = routes.flatMap(({ docs }) => Object.entries(docs.answer?.headers ?? {}));
  if (headers.length === 0) return undefined;
  return Object.fromEntries(
    headers.map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
}

/** None for routes whose answers are empty. */
function answerContent(routes: OperationRoutes, components: Components): JsonOutputObject | undefined {
  const types = new Set(
    routes.flatMap(({ docs, dialect }) => docs.answer?.contentTypes ?? [typeOf(dialect)]),
  );
  const schemas = routes.map((route) => components.response(route)).filter((schema) => schema !== undefined);
  const isText = routes.some(
    ({ docs: { answer } }) => answer?.contentTypes !== undefined && answer.schema === undefined,
  );
  const text = { type: 'string' };
  const all = isText ? [...schemas, text] : schemas;
  if (all.length === 0) return undefined;
  return Object.fromEntries(
    [...types].map((type) => [type, { schema: type.includes('json') ? anyOf(all) : text }]),
  );
}

function typeOf(dialect: DocumentedRoute['dialect']): string {
  return dialect === undefined ? JSON_TYPE : REGISTRY_CONTENT_TYPE;
}

function joined(texts: readonly string[]): string {
  return [...new Set(texts)].join(' Or: ');
}
