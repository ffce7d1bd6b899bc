import type { Database } from '../database/database';
import { PostgresIndexVersionStore } from '../index-versions/index-version-store';
import { SearchIndexVersionRow } from '../rows/index-version.row';
import { LAYOUT, PostgresSearchIndex, TABLE_PREFIX, createTableStatements } from './search-index';

/** Stores the versions of the search index in one database. */
export class PostgresSearchIndexVersionStore extends PostgresIndexVersionStore<PostgresSearchIndex> {
  constructor(database: Database) {
    super(database, {
      row: SearchIndexVersionRow,
      layout: LAYOUT,
      tables: [TABLE_PREFIX],
      createStatements: createTableStatements,
      open: (own, indexVersion) => new PostgresSearchIndex(own, indexVersion),
    });
  }
}
