import type { Database } from '../database/database';
import { PostgresIndexVersionStore } from '../index-versions/index-version-store';
import { GraphIndexVersionRow } from '../rows/index-version.row';
import { PostgresGraphIndex } from './graph-index';
import { GRAPH_LAYOUT, GRAPH_TABLES, createGraphStatements } from './graph-tables';

/** Stores the versions of the relationship graph in one database. */
export class PostgresGraphIndexVersionStore extends PostgresIndexVersionStore<PostgresGraphIndex> {
  constructor(database: Database) {
    super(database, {
      name: 'graph',
      row: GraphIndexVersionRow,
      layout: GRAPH_LAYOUT,
      tables: GRAPH_TABLES,
      createStatements: createGraphStatements,
      open: (own, indexVersion) => new PostgresGraphIndex(own, indexVersion),
    });
  }
}
