import type { ServedRoute } from './route-table';

/** Returns the anchor of an endpoint on its page: `post-entities-search`, `get-entitiesV2-urn`. */
export function endpointId({ method, path, action }: ServedRoute): string {
  const parts = [method.toLowerCase(), ...path.split('/'), ...(action === undefined ? [] : [action])];
  return parts
    .map((part) => part.replace(/[^\w.-]/g, ''))
    .filter((part) => part !== '')
    .join('-');
}
