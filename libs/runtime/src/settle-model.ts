import { PostgresParkedProposals, PostgresStoredModel, type Database } from '@stratalog/adapters-postgres';
import { systemClock } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import type { CatalogParts } from './catalog-parts';
import { guardModel } from './guard-model';
import type { Logger } from './logger';
import { replayParked } from './replay-parked';
import type { Settings } from './settings';

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
  { store, registry, proposals }: Pick<CatalogParts, 'store' | 'registry' | 'proposals'>,
  { acceptModel }: Settings,
  logger: Logger,
): Promise<void> {
  await guardModel({ stored: new PostgresStoredModel(database), store, registry }, acceptModel);
  const parked = new PostgresParkedProposals(database, systemClock);
  const replayed = await replayParked({ parked, proposals, registry });
  if (replayed > 0) logger.info({ replayed }, 'proposals that waited for this model are in the log again');
}
