import type { ServedRoute } from '@stratalog/http';

/** The anchor of an endpoint: `post-entities-search`, `get-entitiesV2-urn`. */
export function endpointId({ method, path, action }: ServedRoute): string {
  const parts = [method.toLowerCase(), ...path.split('/'), ...(action === undefined ? [] : [action])];
  return parts
    .map((part) => part.replace(/[^\w.-]/g, ''))
    .filter((part) => part !== '')
    .join('-');
}

/** The path as people write it: `/entitiesV2/{urn}`, `/entities?action=search`. */
export function pathText({ path, action }: Pick<ServedRoute, 'path' | 'action'>): string {
  return path.replace(/:(\w+)/g, '{$1}') + (action === undefined ? '' : `?action=${action}`);
}
