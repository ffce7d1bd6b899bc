import type { SearchDocument } from '@stratalog/domain';
import { allSteps } from '@stratalog/json';
import { searchProjection } from '@stratalog/projection';
import type { SearchDeps } from '@stratalog/stages-query';
import type { CatalogEntity } from '../catalog/catalog-entity';
import { EntityStorage } from '../catalog/store-entities';

const BATCH = 500;

/** Projects entities to their documents, writes these into a new index, and makes it the live one. */
export async function buildIndex(
  { registry, store, searchIndexes }: SearchDeps,
  entities: Iterable<CatalogEntity>,
): Promise<void> {
  const projection = searchProjection(registry);
  const { storeId, epoch } = store.identity;
  const index = await searchIndexes.create({ storeId, epoch, mapping: projection.mapping });
  const storage = new EntityStorage(registry);
  let batch: SearchDocument[] = [];
  for (const entity of entities) {
    const document = allSteps(projection.project(storage.store(entity)));
    if (document !== undefined) batch.push(document);
    if (batch.length < BATCH) continue;
    await index.write(batch);
    batch = [];
  }
  await index.write(batch, new Map([[0, 1]]));
  await searchIndexes.activate(index);
}
