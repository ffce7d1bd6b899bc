import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Terminal } from './terminal';

/** From the sources and from the bundle the same: both lie three folders below the root. */
export const SHIPPED = fileURLToPath(new URL('../../../models', import.meta.url));

/** The folders that a catalog started with the same environment reads its model from, in its order. */
export function modelFoldersOf({ env }: Pick<Terminal, 'env'>): readonly string[] {
  const own = (env.STRATALOG_MODELS ?? '').split(delimiter).filter((folder) => folder !== '');
  return [SHIPPED, ...own];
}
