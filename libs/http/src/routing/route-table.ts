import { didYouMean } from '@stratalog/domain';
import { TransportError } from '../errors/transport-error';

/** The methods and actions of one path, collected while routes are registered. */
interface PathRoutes {
  readonly methods: Set<string>;
  readonly actions: Set<string>;
}

export interface UnroutedRequest {
  readonly method: string;
  /** The normalized target, query included. */
  readonly target: string;
  readonly action: string | undefined;
}

export type UnroutedAnswer =
  | { readonly kind: 'options'; readonly allow: string }
  | { readonly kind: 'rejected'; readonly error: TransportError };

/** One call that the router accepts. */
export interface ServedRoute {
  readonly method: string;
  /** With parameters as `:name`. */
  readonly path: string;
  readonly action?: string;
}

/** What people look for here and find elsewhere, by path. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['/metrics', '; STRATALOG_METRICS_PORT sets the port that serves the metrics'],
]);

/** What serves instead of calls of the original that are not served, by the beginning of their paths; the first that fits. */
const INSTEAD: readonly (readonly [path: string, instead: string])[] = [
  ['/openapi/entities/v1', 'POST /openapi/v3/entity/{entityType} does'],
  ['/openapi/v2/entity/batch/', 'POST /openapi/v3/entity/{entityType}/batchGet does'],
  ['/openapi/operations/kafka/', 'GET /openapi/operations/messaging/mcp/consumer/lag does'],
  ['/openapi/openlineage/', 'proposals of upstreamLineage and dataJobInputOutput carry lineage'],
  ['/openapi/', 'GET /restli/docs lists what it serves'],
];

/** All served routes, for the answers to requests that no route matches. */
export class RouteTable {
  private readonly paths = new Map<string, PathRoutes>();
  private readonly served: ServedRoute[] = [];
  /**
   * Resources with a route `/<resource>/:urn`, each with the names of parts in routes
   * `/<resource>/:urn/<part>`.
   */
  readonly urnResources = new Map<string, Set<string>>();

  /** Matches paths of routes that end with a urn behind several segments; the first group is what is in front of it. */
  readonly deepUrns: RegExp[] = [];

  /** `elsewhere`: the routes of other processes of the catalog; rejections name them too. */
  constructor(private readonly elsewhere: readonly ServedRoute[] = []) {}

  add(url: string, methods: readonly string[], action: string | undefined): void {
    const routes = this.paths.get(url) ?? { methods: new Set(), actions: new Set() };
    this.paths.set(url, routes);
    for (const method of methods) {
      routes.methods.add(method);
      this.served.push({ method, path: url, ...(action === undefined ? {} : { action }) });
    }
    if (action !== undefined) routes.actions.add(action);
    const [, resource = '', parameter, part, ...more] = url.split('/');
    if (url.endsWith('/:urn') && parameter !== ':urn') {
      const front = url.slice(0, -':urn'.length).replace(/:\w+/g, '[^/]+');
      this.deepUrns.push(new RegExp(`^(${front})urn(?::|%3A)`, 'i'));
    }
    if (parameter !== ':urn' || more.length > 0) return;
    const parts = this.urnResources.get(resource) ?? new Set();
    this.urnResources.set(resource, parts);
    if (part !== undefined) parts.add(part);
  }

  /** In the order of registration. A read answers `HEAD` too. */
  all(): readonly ServedRoute[] {
    return this.served;
  }

  answerUnrouted({ method, target, action }: UnroutedRequest): UnroutedAnswer {
    const path = target.split(/[?#]/, 1)[0] ?? '';
    const routes = this.listRoutes(path);
    if (routes === undefined) {
      const instead = INSTEAD.find(([beginning]) => path.startsWith(beginning))?.[1];
      if (instead !== undefined) return rejected(404, `Stratalog serves no ${method} ${path}; ${instead}`);
      const hint = ELSEWHERE.get(path) ?? this.suggestPath(path);
      return rejected(404, `No root resource defined for path '${path}'${hint}`);
    }
    const allow = [...routes.methods, 'OPTIONS'].join(', ');
    if (method === 'OPTIONS') return { kind: 'options', allow };
    if (action !== undefined) {
      return method === 'POST'
        ? rejected(
            400,
            `POST operation named ${action} not supported on resource '${resourceOf(path)}' URI: '${target}'${this.actionsText(path, action)}`,
          )
        : rejected(
            400,
            `All action methods (specified via 'action' in URI) must be submitted as a POST (was ${method})`,
          );
    }
    if (method === 'POST' && routes.actions.size > 0) {
      return rejected(
        400,
        `POST operation not supported for URI: '${target}': the query parameter 'action' is missing${this.actionsText(path)}`,
      );
    }
    return rejected(405, `${method} operation not supported for URI: '${target}'`, { allow });
  }

  /** Lists the other actions of a path's resource, and suggests the most similar one. */
  private actionsText(path: string, asked = ''): string {
    const own = `/${resourceOf(path)}`;
    const names = new Set(
      [...this.served, ...this.elsewhere].flatMap((route) =>
        route.path === own ? (route.action ?? []) : [],
      ),
    );
    if (names.size === 0) return '; it has no actions';
    return `; its actions: ${[...names].sort().join(', ')}${didYouMean(asked, names)}`;
  }

  /**
   * Returns the most similar path, preferring the longest; a path with parameters is compared up to the first
   * one.
   */
  private suggestPath(path: string): string {
    const segments = path.split('/');
    const known = [...this.served, ...this.elsewhere].map((route) => beginningOf(route.path));
    for (let length = segments.length; length > 1; length--) {
      const ofLength = new Set(known.filter((each) => each !== '/' && each.split('/').length === length));
      const near = didYouMean(segments.slice(0, length).join('/'), ofLength);
      if (near !== '') return near;
    }
    return '';
  }

  private listRoutes(path: string): PathRoutes | undefined {
    const exact = this.paths.get(path);
    if (exact !== undefined) return exact;
    const [, resource = '', parameter, ...more] = path.split('/');
    if (parameter === undefined || parameter === '' || !this.urnResources.has(resource)) return undefined;
    return this.paths.get(['', resource, ':urn', ...more].join('/'));
  }
}

function beginningOf(path: string): string {
  return path.split('/:', 1)[0] ?? '';
}

function resourceOf(path: string): string {
  return path.split('/', 2)[1] ?? '';
}

function rejected(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): UnroutedAnswer {
  return { kind: 'rejected', error: new TransportError(status, message, headers) };
}
