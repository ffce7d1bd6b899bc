import { hash as digest } from 'node:crypto';
import { parentOfColumn } from '@stratalog/domain';

/**
 * Version of the table layout. Increase it with every change of the statements below; graphs of another layout are
 * rebuilt.
 */
export const GRAPH_LAYOUT = 8;

export interface GraphTables {
  readonly sources: string;
  readonly edges: string;
  readonly longUrns: string;
}

const SOURCES = 'graph_source_';
const EDGES = 'graph_edge_';
const LONG_URNS = 'graph_long_urn_';
/** The table of edges names the version. */
export const GRAPH_TABLES = [EDGES, SOURCES, LONG_URNS] as const;

export function graphTablesOf(indexVersion: number): GraphTables {
  return {
    sources: SOURCES + String(indexVersion),
    edges: EDGES + String(indexVersion),
    longUrns: LONG_URNS + String(indexVersion),
  };
}

const KEY_DIGITS = 32;

/**
 * Hashes a urn for the keys of edges. Two urns of two kilobytes each would exceed the size of an index entry.
 *
 * **Shape**: the first 128 bits of its SHA-256, as the text of a `uuid`. The first half of the key of a column comes from
 * its parent, so that the columns of an entity lie in one range.
 */
export function urnKey(urn: string): string {
  const parent = parentOfColumn(urn);
  return parent === undefined ? hash(urn, KEY_DIGITS) : columnPrefix(parent) + hash(urn, KEY_DIGITS / 2);
}

/** Returns the lowest and the highest key that a column of the entity can have. */
export function columnKeyRange(urn: string): readonly [string, string] {
  const prefix = columnPrefix(urn);
  return [prefix.padEnd(KEY_DIGITS, '0'), prefix.padEnd(KEY_DIGITS, 'f')];
}

/** Differs from the start of the parent's own key, which would lie in the range of its columns. */
function columnPrefix(parent: string): string {
  return hash(`columns of ${parent}`, KEY_DIGITS / 2);
}

function hash(urn: string, digits: number): string {
  return digest('sha256', urn, 'hex').slice(0, digits);
}

/** Builds the query for the edges of an entry, by the key of its entity; each part has an index of its own. */
export function ownEdgesText(edges: string, key: string, columns: string): string {
  return `select ${columns} from ${edges} where source_key = ${key} and owner_key = ${key}
           union all
          select ${columns} from ${edges} where owner_key = ${key} and source_key <> owner_key`;
}

/**
 * Returns the statements that create the tables of an index version.
 *
 * The first table has a row per entity with its edge count, which reveals lost edges, and the `seq` that guards its
 * edges. The second has a row per edge, with the owner: the entity whose aspect declares it, absent where that is the
 * source. Indices find both ends. The index on destinations includes the source, because the incoming edges of an entity
 * may be very many and are read in that order. The indices on lineage are in the order of its pages for the same reason. There
 * is one for each end and each direction, because most graphs have only edges of one direction: a hop then scans an empty
 * index for the other. They include `step_via`, so that they answer a hop without the table: `via` without the texts that
 * no urn is as long as, and no index entry could hold.
 *
 * The third has the urns that are too long for an index entry. In the table of edges a text of bounded length stands for each.
 */
export function createGraphStatements(indexVersion: number): readonly string[] {
  const { sources, edges, longUrns } = graphTablesOf(indexVersion);
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
       owner_key       uuid    not null,
       aspect          text    not null collate "C",
       owner           text    collate "C",
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
       step_via        text    generated always as (case when octet_length(via) <= 512 then via end) stored,
       primary key (source_key, relationship, destination_key, owner_key, aspect)
     ) with (fillfactor = 85)`,
    `create table ${longUrns} (
       stored_end text primary key collate "C",
       urn        text not null
     )`,
    `create index on ${edges} (destination_key, relationship, source)`,
    `create index on ${edges} (owner_key) where source_key <> owner_key`,
    ...[true, false].flatMap((isUpstream) => [
      `create index on ${edges} (source_key, destination) include (step_via) where ${lineageCondition('source', isUpstream)}`,
      `create index on ${edges} (destination_key, source) include (step_via) where ${lineageCondition('destination', isUpstream)}`,
    ]),
  ];
}

/**
 * Writes the condition for lineage edges of one direction in two ways that mean the same, one for each end that is searched. An index
 * with the other one's condition is then none that the server could use: while its statistics say that an index is empty, it
 * would read all of it for each end instead of looking the end up in the right one.
 */
export function lineageCondition(near: 'source' | 'destination', isUpstream: boolean): string {
  const condition = `is_lineage and ${isUpstream ? '' : 'not '}is_upstream`;
  return near === 'source' ? condition : `coalesce(${condition}, false)`;
}
