import { SeededRandom } from '@stratalog/harness';
import { buildCore } from './build-core';
import { buildFiller } from './build-filler';
import type { CatalogEntity } from './catalog-entity';
import type { CatalogFiles } from './read-catalog-files';

export interface CatalogOptions {
  readonly seed: number;
  /** Number of entities. */
  readonly size: number;
}

/** Draws of one filler entity before the catalog counts as full. */
const MAX_DRAWS = 1_000;

/**
 * Generates a catalog: the core, then filler up to the size.
 *
 * **Order and repeats**: equal options give equal entities, and a smaller catalog is the beginning of a larger one.
 *
 * **Errors**: `RangeError` for a size below that of the core, or beyond the names that the filler has.
 */
export function* generateCatalog(
  files: CatalogFiles,
  { seed, size }: CatalogOptions,
): Generator<CatalogEntity> {
  const core = buildCore(files);
  if (size < core.entities.length) {
    throw new RangeError(`The core has ${String(core.entities.length)} entities, more than ${String(size)}`);
  }
  yield* core.entities;
  const random = new SeededRandom(seed);
  const urns = new Set(core.entities.map(({ urn }) => urn));
  for (let at = 0; urns.size < size; at += 1) {
    const own = random.fork(at);
    let entity = buildFiller(core, own);
    for (let draws = 1; urns.has(entity.urn); draws += 1) {
      if (draws === MAX_DRAWS)
        throw new RangeError(`No catalog of ${String(size)} entities has distinct names`);
      entity = buildFiller(core, own);
    }
    urns.add(entity.urn);
    yield entity;
  }
}
