import { PostgresStoredModel, type Database } from '@stratalog/adapters-postgres';
import type { EntityRegistry } from '@stratalog/registry';
import type { CatalogDeps } from './catalog-deps';
import { guardModel } from './guard-model';
import type { Logger } from '../logging/logger';
import { replayDeadLetters } from './replay-dead-letters';
import type { Settings } from '../settings/settings';

/**
 * Makes a function that reports whether the store still has the model of this process: another process may
 * have started with another one since.
 */
export function modelWatch(database: Database, { fingerprint }: EntityRegistry): () => Promise<boolean> {
  const stored = new PostgresStoredModel(database);
  return async () => ((await stored.read())?.fingerprint ?? fingerprint) === fingerprint;
}

/**
 * Prepares the model of a start before the catalog serves anything. It compares the model with the one that
 * wrote the stored data, and logs again the dead letters that waited for it.
 *
 * **Errors**: those of `guardModel`.
 */
export async function settleModel(
  database: Database,
  {
    store,
    registry,
    proposals,
    deadLetters,
  }: Pick<CatalogDeps, 'store' | 'registry' | 'proposals' | 'deadLetters'>,
  { acceptModel }: Settings,
  logger: Logger,
): Promise<void> {
  await guardModel({ stored: new PostgresStoredModel(database), store, registry }, acceptModel);
  const replayed = await replayDeadLetters({ deadLetters, proposals, registry });
  if (replayed > 0) logger.info({ replayed }, 'proposals that waited for this model are in the log again');
}
