import { NotFoundError } from '@stratalog/domain';
import { findExisting } from '@stratalog/concurrency';
import type { AspectStore } from '@stratalog/ports';

/**
 * Requires that entities exist.
 *
 * **Errors**: `NotFoundError` that names the first one that does not.
 */
export async function requireExisting(
  { store }: { readonly store: AspectStore },
  urns: readonly string[],
): Promise<void> {
  const existing = await findExisting(store, urns);
  const absent = urns.find((urn) => !existing.has(urn));
  if (absent !== undefined) throw new NotFoundError(`Entity ${absent} does not exist`);
}
