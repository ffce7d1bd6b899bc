import type { IncomingMessage } from 'node:http';
import type { FastifyServerOptions } from 'fastify';
import { decodeOnce } from './decode-once';

/** The addresses of the web pages select no action: what follows the `?` is for the browser. */
const PAGES = '/ui/';

/** The `action` parameter of a normalized target; an empty value counts as none. */
export function actionOf(target: string): string | undefined {
  const queryAt = target.indexOf('?');
  if (queryAt === -1 || target.startsWith(PAGES)) return undefined;
  for (let from = queryAt + 1; from < target.length;) {
    const next = target.indexOf('&', from);
    const end = next === -1 ? target.length : next;
    if (target.startsWith('action=', from)) {
      const raw = target.slice(from + 'action='.length, end);
      return raw === '' ? undefined : (decodeOnce(raw) ?? raw);
    }
    from = end + 1;
  }
  return undefined;
}

type Constraint = NonNullable<NonNullable<FastifyServerOptions['routerOptions']>['constraints']>[string];
type Routes = ReturnType<Constraint['storage']>;

/**
 * Lets the router select by `?action=`, so that actions of several modules share one path. A request with an
 * action matches no route without one: `GET /aspects/<urn>?action=x` is a mistake, not a read.
 */
export const actionConstraint: Constraint = {
  name: 'action',
  mustMatchWhenDerived: true,
  storage: (): Routes => {
    const routes = new Map<unknown, ReturnType<Routes['get']>>();
    return {
      get: (action) => routes.get(action) ?? null,
      set: (action, route) => {
        routes.set(action, route);
      },
    };
  },
  // The router accepts undefined for "none", but its types do not declare it.
  deriveConstraint: deriveAction as Constraint['deriveConstraint'],
};

function deriveAction(request: IncomingMessage): string | undefined {
  return actionOf(request.url ?? '');
}
