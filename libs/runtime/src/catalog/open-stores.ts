import {
  PostgresGraphIndexVersionStore,
  openPostgresStores,
  type Database,
} from '@stratalog/adapters-postgres';
import { TokenVerifier } from '@stratalog/http';
import { StoredIndexVersions } from '@stratalog/indexing';
import type { EntityRegistry } from '@stratalog/registry';
import type { StoreDeps } from './catalog-deps';
import { modelWatch } from './settle-model';

/** Opens what both profiles keep in PostgreSQL. */
export async function openStores(
  database: Database,
  registry: EntityRegistry,
  options: Parameters<typeof openPostgresStores>[1],
): Promise<StoreDeps> {
  const stores = await openPostgresStores(database, options);
  return {
    ...stores,
    isModelCurrent: modelWatch(database, registry),
    tokenVerifier: new TokenVerifier(stores.tokens),
    graphIndexes: new StoredIndexVersions(new PostgresGraphIndexVersionStore(database), options.clock),
  };
}
