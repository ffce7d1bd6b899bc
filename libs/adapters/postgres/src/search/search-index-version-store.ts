import type { Database } from '../database/database';
import { PostgresIndexVersionStore } from '../index-versions/index-version-store';
import { SearchIndexVersionRow } from '../rows/index-version.row';
import { PostgresSearchIndex } from './search-index';
import { LAYOUT, SEARCH_TABLES, createSearchStatements, searchTablesOf } from './search-tables';
import { TokenUpkeep } from './token-upkeep';

/** Stores the versions of the search index in one database. */
export class PostgresSearchIndexVersionStore extends PostgresIndexVersionStore<PostgresSearchIndex> {
  constructor(database: Database) {
    // One for each version in a process, however often it is opened: what one knows counts for all searches.
    const upkeeps = new Map<string, TokenUpkeep>();
    const findUpkeep = (tokenIndex: string): TokenUpkeep => {
      const upkeep = upkeeps.get(tokenIndex) ?? new TokenUpkeep(database, tokenIndex);
      upkeeps.set(tokenIndex, upkeep);
      return upkeep;
    };
    super(database, {
      row: SearchIndexVersionRow,
      layout: LAYOUT,
      tables: SEARCH_TABLES,
      createStatements: createSearchStatements,
      open: (own, version) =>
        new PostgresSearchIndex(
          own,
          version,
          findUpkeep(searchTablesOf(Number(version.id), version.layout).tokenIndex),
        ),
    });
  }
}
