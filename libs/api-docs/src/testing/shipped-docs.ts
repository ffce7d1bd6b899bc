import { join } from 'node:path';
import { loadModel, type ModelOptions } from '@stratalog/registry';
import { API_ROUTES } from '../api-routes';
import { DocsLibrary } from '../docs-library';
import type { DocsDeps } from '../docs-deps';

const MODELS = join(import.meta.dirname, '../../../../models');

/** Makes the sources of the documentation for a catalog with the shipped model. */
export async function shippedDeps(
  auth: DocsDeps['about']['auth'] = 'operations',
  options: Partial<ModelOptions> = {},
): Promise<DocsDeps> {
  const { folders = [], ...rest } = options;
  const registry = await loadModel({
    folders: [MODELS, ...folders],
    vendor: 'linkedin',
    urnNamespace: 'li',
    ...rest,
  });
  return { registry, routes: API_ROUTES, about: { version: '1.2.3', auth } };
}

/** Returns every page by its address below the root. */
export function allPages(deps: DocsDeps): ReadonlyMap<string, string> {
  const library = new DocsLibrary(deps);
  const { registry } = deps;
  const pages = [
    ['restli/docs', library.index()] as const,
    ...registry.entityTypes.map(
      ({ name }) => [`restli/docs/entities/${name}`, library.entity(name)] as const,
    ),
    ...registry.aspects.map(({ name }) => [`restli/docs/aspects/${name}`, library.aspect(name)] as const),
  ];
  return new Map(pages.map(([address, { bytes }]) => [address, bytes.toString('utf8')]));
}
