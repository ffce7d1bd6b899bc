import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Terminal } from './terminal';

/**
 * Next to the program in the npm package; three folders up in a clone, from the sources and from the bundle.
 */
const PLACES = ['./models', '../../../models'].map((place) => fileURLToPath(new URL(place, import.meta.url)));

/** The model that ships with the catalog. */
export const SHIPPED = PLACES.find((place) => existsSync(place)) ?? '';

/** Returns the folders from which a catalog with the same environment reads its model, in its order. */
export function parseModelFolders({ env }: Pick<Terminal, 'env'>): readonly string[] {
  const own = (env.STRATALOG_MODELS ?? '').split(delimiter).filter((folder) => folder !== '');
  return [SHIPPED, ...own];
}
