import type { Database } from '../database/database';
import { PostgresIndexVersionStore } from '../index-versions/index-version-store';
import { SearchIndexVersionRow } from '../rows/index-version.row';
import { FacetValues } from './facet-values';
import { PostgresSearchIndex } from './search-index';
import { LAYOUT, SEARCH_TABLES, createSearchStatements, searchTablesOf } from './search-tables';
import { TokenUpkeep } from './token-upkeep';

/** Stores the versions of the search index in one database. */
export class PostgresSearchIndexVersionStore extends PostgresIndexVersionStore<PostgresSearchIndex> {
  constructor(database: Database) {
    // One of each for each version in a process, however often it is opened: what one knows counts for all searches.
    const known = new Map<string, { readonly upkeep: TokenUpkeep; readonly facetValues: FacetValues }>();
    const shareOf = (id: string): { readonly upkeep: TokenUpkeep; readonly facetValues: FacetValues } => {
      const tables = searchTablesOf(Number(id));
      const shared = known.get(id) ?? {
        upkeep: new TokenUpkeep(database, tables.tokenIndex),
        facetValues: new FacetValues(database, tables.facetValues),
      };
      known.set(id, shared);
      return shared;
    };
    super(database, {
      row: SearchIndexVersionRow,
      layout: LAYOUT,
      tables: SEARCH_TABLES,
      createStatements: createSearchStatements,
      open: (own, version) => {
        const { upkeep, facetValues } = shareOf(version.id);
        return new PostgresSearchIndex(own, version, upkeep, facetValues);
      },
    });
  }
}
