import { ROUTE_GROUPS, everyPath, needsToken, type DocumentedRoute } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/json';
import type { DocsDeps } from '../docs-deps';
import { pathText } from '../pages/endpoint-names';
import { Components, type OperationRoutes } from './components';
import { toOperation } from './to-operation';

const TOKEN = { type: 'http', scheme: 'bearer', description: 'The operator’s: `npm run cli -- token`' };

/**
 * Builds an OpenAPI 3.1 document of the routes.
 *
 * **Shape**: an operation is a method and a path without its query, so that all actions of a path are one:
 * `action` is a parameter, bodies and answers are alternatives. `x-actions` assigns the schemas to their
 * actions.
 */
export function buildOpenApi({ routes, about }: Pick<DocsDeps, 'routes' | 'about'>): JsonOutputObject {
  const components = new Components();
  const paths: Record<string, Record<string, JsonOutputObject>> = {};
  for (const [first, ...others] of toOperations(routes)) {
    const path = (paths[pathText({ path: first.path })] ??= {});
    path[first.method.toLowerCase()] = toOperation([first, ...others], about.auth, components);
  }
  const groups = new Set(routes.map(({ docs }) => docs.group));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Stratalog',
      version: about.version,
      summary: 'A metadata catalog.',
      description: 'Write, read and search metadata. The same in words, with the model: `/restli/docs`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: ['/', '/gms', '/api/gms'].map((url) => ({ url })),
    tags: [...groups].map((name) => ({ name, description: ROUTE_GROUPS[name] })),
    paths,
    components: {
      schemas: components.schemas,
      ...(routes.some(({ access }) => needsToken(about.auth, access))
        ? { securitySchemes: { token: TOKEN } }
        : {}),
    },
  };
}

function toOperations(routes: readonly DocumentedRoute[]): Iterable<OperationRoutes> {
  const operations = new Map<string, OperationRoutes>();
  for (const route of everyPath(routes)) {
    const key = `${route.method} ${route.path}`;
    const known = operations.get(key);
    operations.set(key, known === undefined ? [route] : [...known, route]);
  }
  return operations.values();
}
