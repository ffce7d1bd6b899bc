import { InvalidSettingError } from '@stratalog/domain';
import { SEARCH_VERSIONS, VersionRegistry } from './version-registry';
import { MetaDocument } from '../engine/meta-document';
import type { SearchEngine } from '../engine/search-engine';

interface Owner {
  readonly storeId: string;
}

/**
 * Claims the indices under the engine's prefix for a store, unless they belong to another.
 *
 * Two catalogs with one prefix would each take the other's index for an outdated one of their own, and rebuild over it
 * in turn.
 *
 * **Errors**: `InvalidSettingError` with the remedy when they belong to another store; `UnavailableError`.
 */
export async function claimIndices(engine: SearchEngine, storeId: string): Promise<void> {
  const built = await new VersionRegistry(engine, SEARCH_VERSIONS).list();
  const first = built[0]?.identity.storeId ?? storeId;
  const { storeId: owner } = await new MetaDocument<Owner>(engine, 'owner').change(
    (current) => current ?? { storeId: first },
  );
  if (owner === storeId) return;
  const { prefix } = engine.names;
  throw new InvalidSettingError(
    `The indices ${prefix}* of the search engine belong to another catalog (store ${owner}, this one is ${storeId}). ` +
      `Set STRATALOG_INDEX_PREFIX to a prefix of its own; or, if that catalog is gone, delete the indices ${prefix}*`,
  );
}
