import type { Clock } from '@stratalog/ports';
import type { Database } from '../database/database';
import { PostgresIndexVersions } from '../index-versions/index-versions';
import { PostgresGraphIndex } from './graph-index';
import { GRAPH_LAYOUT, GRAPH_TABLES, createGraphStatements } from './graph-tables';

/** The versions of the relationship graph in one database. */
export class PostgresGraphIndexVersions extends PostgresIndexVersions<PostgresGraphIndex> {
  constructor(database: Database, clock: Clock) {
    super(database, clock, {
      kind: 'graph',
      layout: GRAPH_LAYOUT,
      tables: GRAPH_TABLES,
      createStatements: createGraphStatements,
      open: (own, indexVersion) => new PostgresGraphIndex(own, indexVersion),
    });
  }
}
