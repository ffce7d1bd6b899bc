import type { IndexVersionStore } from '@stratalog/ports';
import { IDENTITY, indexVersionsOver } from '@stratalog/testkit';
import type { Database } from '../database/database';
import type { PostgresGraphIndex } from '../graph/graph-index';
import { PostgresGraphIndexVersionStore } from '../graph/graph-index-version-store';

/** Forgets the graph indices of a suite's database, and opens the store of their versions. */
export async function openEmptyGraphVersions(
  database: Database,
): Promise<IndexVersionStore<PostgresGraphIndex>> {
  await database.use((client) => client.query('delete from graph_index_version'));
  return new PostgresGraphIndexVersionStore(database);
}

/** Creates an empty graph index in a suite's database. */
export async function openEmptyGraph(database: Database): Promise<PostgresGraphIndex> {
  return indexVersionsOver(await openEmptyGraphVersions(database)).create(IDENTITY);
}
