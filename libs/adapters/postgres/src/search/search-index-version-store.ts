import type { Database } from '../database/database';
import { PostgresIndexVersionStore } from '../index-versions/index-version-store';
import { SearchIndexVersionRow } from '../rows/index-version.row';
import { FacetValues } from './facet-values';
import type { WalkLimits } from './statements/page-reader';
import { PostgresSearchIndex } from './search-index';
import { LAYOUT, SEARCH_TABLES, createSearchStatements, searchTablesOf } from './search-tables';
import { TokenUpkeep } from './token-upkeep';

/** The state of a version in this process: one of each, however often the version is opened, because it counts for all searches. */
interface Shared {
  readonly upkeep: TokenUpkeep;
  readonly facetValues: FacetValues;
}

/** Stores the versions of the search index in one database. */
export class PostgresSearchIndexVersionStore extends PostgresIndexVersionStore<PostgresSearchIndex> {
  private readonly shared: Map<string, Shared>;

  constructor(database: Database, walkLimits?: WalkLimits) {
    const shared = new Map<string, Shared>();
    const shareOf = (id: string): Shared => {
      const tables = searchTablesOf(Number(id));
      const known = shared.get(id) ?? {
        upkeep: new TokenUpkeep(database, tables.tokenIndex),
        facetValues: new FacetValues(database, tables.facetValues),
      };
      shared.set(id, known);
      return known;
    };
    super(database, {
      name: 'search',
      row: SearchIndexVersionRow,
      layout: LAYOUT,
      tables: SEARCH_TABLES,
      createStatements: createSearchStatements,
      open: (own, version) => {
        const { upkeep, facetValues } = shareOf(version.id);
        return new PostgresSearchIndex(own, version, upkeep, facetValues, walkLimits);
      },
    });
    this.shared = shared;
  }

  override async drop(id: string): Promise<void> {
    await super.drop(id);
    this.shared.delete(id);
  }
}
