import { InvalidSettingError } from '@stratalog/model';
import { IndexVersions } from './index-versions';
import { MetaDocument } from '../engine/meta-document';
import type { SearchEngine } from '../engine/search-engine';

interface Owner {
  readonly storeId: string;
}

/**
 * Makes the indices under the engine's prefix those of a store, unless they are another's: two catalogs that share a prefix would take
 * each other's index for an outdated one of their own, and build theirs over it in turn.
 *
 * **Errors**: `InvalidSettingError` when they are another store's, with what to do; `UnavailableError`.
 */
export async function claimIndices(engine: SearchEngine, storeId: string): Promise<void> {
  const built = await new IndexVersions(engine).list();
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
