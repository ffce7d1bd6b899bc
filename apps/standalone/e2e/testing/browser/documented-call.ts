import type { DocumentedRoute, ExampleDocs } from '@stratalog/http';
import type { RawRequest } from '../catalog/raw-http';

/** Makes the request of a documented example. */
export function toRequest(route: DocumentedRoute, { parameters = {}, body }: ExampleDocs): RawRequest {
  const all = route.docs.parameters.filter(({ name }) => parameters[name] !== undefined);
  const value = (name: string): string => encodeURIComponent(parameters[name] ?? '');
  const query = all.filter((one) => one.in === 'query').map(({ name }) => `${name}=${value(name)}`);
  const action = route.action === undefined ? [] : [`action=${route.action}`];
  const search = [...action, ...query].join('&');
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => value(name));
  return {
    method: route.method,
    target: `${path}${search === '' ? '' : `?${search}`}`,
    headers: Object.fromEntries(
      all.filter((one) => one.in === 'header').map(({ name }) => [name, parameters[name] ?? '']),
    ),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}
