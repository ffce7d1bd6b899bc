import { PostgresDeadLetters, PostgresStoredModel, type Database } from '@stratalog/adapters-postgres';
import { systemClock } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import type { CatalogDeps } from './catalog-deps';
import { guardModel } from './guard-model';
import type { Logger } from '../logging/logger';
import { replayDeadLetters } from './replay-dead-letters';
import type { Settings } from '../settings/settings';

/** Tells whether the store still has the model of this process: others may have started with another one since. */
export function modelWatch(database: Database, { fingerprint }: EntityRegistry): () => Promise<boolean> {
  const stored = new PostgresStoredModel(database);
  return async () => ((await stored.read())?.fingerprint ?? fingerprint) === fingerprint;
}

/**
 * What a start does with its model before anything is served: compares it with the one that the stored data was written by, and logs
 * again what waited for it.
 *
 * **Errors**: those of `guardModel`.
 */
export async function settleModel(
  database: Database,
  { store, registry, proposals }: Pick<CatalogDeps, 'store' | 'registry' | 'proposals'>,
  { acceptModel }: Settings,
  logger: Logger,
): Promise<void> {
  await guardModel({ stored: new PostgresStoredModel(database), store, registry }, acceptModel);
  const deadLetters = new PostgresDeadLetters(database, systemClock);
  const markReplayed = await replayDeadLetters({ deadLetters, proposals, registry });
  if (markReplayed > 0)
    logger.info({ markReplayed }, 'proposals that waited for this model are in the log again');
}
