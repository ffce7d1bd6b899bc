import { createHash } from 'node:crypto';

/** Raised when the statements below change: graphs of another layout are built anew. */
export const GRAPH_LAYOUT = 2;
/** Older ones do not know how many edges an entity has. */
export const FIRST_LAYOUT_WITH_COUNTS = 2;

export interface GraphTables {
  readonly sources: string;
  readonly edges: string;
}

const SOURCES = 'graph_source_';
const EDGES = 'graph_edge_';
export const GRAPH_TABLES = [SOURCES, EDGES] as const;

export function graphTablesOf(indexVersion: number): GraphTables {
  return { sources: SOURCES + String(indexVersion), edges: EDGES + String(indexVersion) };
}

/**
 * A urn in the keys of edges. Two urns of two kilobytes each would not fit into one entry of an index.
 *
 * **Shape**: the first 128 bits of its SHA-256, as the text of a `uuid`.
 */
export function urnKey(urn: string): string {
  return createHash('sha256').update(urn).digest('hex').slice(0, 32);
}

/**
 * The statements that make a generation's tables: a row for each entity that was looked at, with the `seq` that guards its edges and
 * how many there are, so that lost ones are missed, and a row for each edge. Both ends are found by an index; of the entities at the other end of incoming edges, which may be very many, the
 * index has the order too.
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
