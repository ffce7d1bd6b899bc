import type { WireRequest } from '../request/wire';

/** Names the route of a request: method, path with its parameters, and action. `undefined` when no route matches. */
export function nameRoute({ method, is404, routeOptions }: WireRequest): string | undefined {
  const { url, config } = routeOptions;
  if (is404 || url === undefined) return undefined;
  return `${method} ${url}${config.action === undefined ? '' : ` ${config.action}`}`;
}
