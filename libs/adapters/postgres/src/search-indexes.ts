import type { Clock } from '@stratalog/ports';
import type { Database } from './database';
import { PostgresGenerations } from './generations';
import { LAYOUT, PostgresSearchIndex, TABLE_PREFIX, createTableStatements } from './search-index';

/** The generations of the search index in one database. */
export class PostgresSearchIndexes extends PostgresGenerations<PostgresSearchIndex> {
  constructor(database: Database, clock: Clock) {
    super(database, clock, {
      kind: 'search',
      layout: LAYOUT,
      tables: [TABLE_PREFIX],
      createStatements: createTableStatements,
      open: (own, generation) => new PostgresSearchIndex(own, generation),
    });
  }
}
