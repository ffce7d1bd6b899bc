import { createHash } from 'node:crypto';

/**
 * Version of the table layout. Increase it with every change of the statements below; graphs of another layout are
 * rebuilt.
 */
export const GRAPH_LAYOUT = 2;

export interface GraphTables {
  readonly sources: string;
  readonly edges: string;
}

const SOURCES = 'graph_source_';
const EDGES = 'graph_edge_';
/** The table of edges names the version. */
export const GRAPH_TABLES = [EDGES, SOURCES] as const;

export function graphTablesOf(indexVersion: number): GraphTables {
  return { sources: SOURCES + String(indexVersion), edges: EDGES + String(indexVersion) };
}

/**
 * Hashes a urn for the keys of edges. Two urns of two kilobytes each would exceed the size of an index entry.
 *
 * **Shape**: the first 128 bits of its SHA-256, as the text of a `uuid`.
 */
export function urnKey(urn: string): string {
  return createHash('sha256').update(urn).digest('hex').slice(0, 32);
}

/**
 * Returns the statements that create the tables of an index version.
 *
 * The first table has a row per entity with its edge count, which reveals lost edges, and the `seq` that guards its
 * edges. The second has a row per edge. Indices find both ends. The index on destinations includes the source, because
 * the incoming edges of an entity may be very many and are read in that order.
 */
export function createGraphStatements(indexVersion: number): readonly string[] {
  const { sources, edges } = graphTablesOf(indexVersion);
  return [
    `create table ${sources} (
       urn   text    primary key collate "C",
       key   uuid    not null,
       seq   bigint  not null,
       edges integer not null
     ) with (fillfactor = 70)`,
    `create table ${edges} (
       source_key      uuid    not null,
       relationship    text    not null collate "C",
       destination_key uuid    not null,
       aspect          text    not null collate "C",
       source          text    not null collate "C",
       destination     text    not null collate "C",
       is_lineage      boolean not null,
       is_upstream     boolean not null,
       created_ms      bigint  not null,
       created_actor   text    not null,
       updated_ms      bigint  not null,
       updated_actor   text    not null,
       properties      text,
       via             text,
       primary key (source_key, relationship, destination_key, aspect)
     ) with (fillfactor = 85)`,
    `create index on ${edges} (destination_key, relationship, source)`,
  ];
}
