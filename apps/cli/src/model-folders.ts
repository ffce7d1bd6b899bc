import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Terminal } from './terminal';

/** In the npm package beside the program; in a clone three folders up, from the sources and from the bundle the same. */
const PLACES = ['./models', '../../../models'].map((place) => fileURLToPath(new URL(place, import.meta.url)));

/** The model that ships with the catalog. */
export const SHIPPED = PLACES.find((place) => existsSync(place)) ?? '';

/** The folders that a catalog started with the same environment reads its model from, in its order. */
export function parseModelFolders({ env }: Pick<Terminal, 'env'>): readonly string[] {
  const own = (env.STRATALOG_MODELS ?? '').split(delimiter).filter((folder) => folder !== '');
  return [SHIPPED, ...own];
}
