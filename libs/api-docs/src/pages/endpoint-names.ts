import type { ServedRoute } from '@stratalog/http';

/** Formats the path as people write it: `/entitiesV2/{urn}`, `/entities?action=search`. */
export function pathText({ path, action }: Pick<ServedRoute, 'path' | 'action'>): string {
  return path.replace(/:(\w+)/g, '{$1}') + (action === undefined ? '' : `?action=${action}`);
}
