import type { Clock } from '@stratalog/ports';
import type { Database } from '../database/database';
import { PostgresIndexVersions } from '../index-versions/index-versions';
import { LAYOUT, PostgresSearchIndex, TABLE_PREFIX, createTableStatements } from './search-index';

/** The versions of the search index in one database. */
export class PostgresSearchIndexVersions extends PostgresIndexVersions<PostgresSearchIndex> {
  constructor(database: Database, clock: Clock) {
    super(database, clock, {
      kind: 'search',
      layout: LAYOUT,
      tables: [TABLE_PREFIX],
      createStatements: createTableStatements,
      open: (own, indexVersion) => new PostgresSearchIndex(own, indexVersion),
    });
  }
}
