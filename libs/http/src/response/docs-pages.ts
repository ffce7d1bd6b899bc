import { everyPath } from '../routing/documented-routes';
import { endpointId } from '../routing/endpoint-id';
import type { ListedRoute } from '../routing/route-list';
import { COMMON_PAGE, DOCS } from './error-answer';
import { prefixOf } from '../request/normalize-target';
import type { WireRequest } from '../request/wire';

/** Selects the page of the documentation that a rejection links to. */
export class DocsPages {
  /** The anchors of documented routes, by method, path and action. */
  private readonly anchors = new Map<string, string>();

  constructor(routes: readonly ListedRoute[]) {
    for (const route of routes) {
      for (const { path } of everyPath([route])) {
        this.anchors.set(keyOf({ ...route, path }), endpointId(route));
      }
    }
  }

  /** Returns a path of this server, below the prefix of the request. */
  toPage(request: WireRequest): string {
    const { url, config } = request.routeOptions;
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const anchor = this.anchors.get(keyOf({ method, path: url ?? '', action: config.action }));
    const page = anchor === undefined ? COMMON_PAGE : `${DOCS}#${anchor}`;
    return prefixOf(request.originalUrl) + page;
  }
}

interface RouteKey {
  readonly method: string;
  readonly path: string;
  readonly action?: string | undefined;
}

function keyOf({ method, path, action = '' }: RouteKey): string {
  return `${method} ${path}?${action}`;
}
