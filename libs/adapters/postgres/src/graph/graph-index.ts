import {
  type EntityEdges,
  type PartitionSequences,
  type RelatedEntities,
  type RelationshipRequest,
} from '@stratalog/model';
import { inSlices, type EntryFingerprint, type GraphIndex, type IndexVersion } from '@stratalog/ports';
import type { QueryConfig } from 'pg';
import type { Database } from '../database/database';
import { edgePortions } from './edge-portions';
import { PostgresIndex, onTables } from '../index-versions/postgres-index';
import { toRelatedEntities, relatedStatement, type RelatedRow } from './graph-read';
import { graphTablesOf, urnKey, type GraphTables } from './graph-tables';
import { inOneGo } from '../database/in-one-go';
import { writeStatements } from './graph-write';

/** Implements one version of the relationship graph on PostgreSQL. */
export class PostgresGraphIndex extends PostgresIndex implements GraphIndex {
  private readonly tables: GraphTables;

  constructor(database: Database, indexVersion: IndexVersion) {
    super(database, 'graph', indexVersion);
    this.tables = graphTablesOf(this.indexVersion);
  }

  async write(entries: readonly EntityEdges[], position: PartitionSequences = new Map()): Promise<void> {
    const portions = await inSlices(edgePortions(entries));
    await onTables(
      this.database.use(async (client) => {
        const statements = writeStatements(this.tables, this.indexVersion, entries, { portions, position });
        for (const together of statements) {
          await inOneGo(together.map((statement) => client.query(statement as QueryConfig)));
        }
      }),
    );
  }

  async related(
    request: RelationshipRequest,
  ): Promise<RelatedEntities & { readonly position: PartitionSequences }> {
    const statement = relatedStatement(this.tables, this.indexVersion, request);
    const rows = await onTables(
      this.database.search(async (client) => (await client.query<RelatedRow>(statement)).rows),
    );
    return toRelatedEntities(request, rows);
  }

  /** Locks the guard rows first, in the order of writes, so that a removal and a write cannot deadlock. */
  async removeEdges(urn: string): Promise<void> {
    const { sources, edges } = this.tables;
    const values = [urnKey(urn)];
    await onTables(
      this.database.transaction(async (client) => {
        await client.query(
          `select from ${sources}
            where urn in (select source from ${edges} where source_key = $1::uuid or destination_key = $1::uuid)
            order by urn for update`,
          values,
        );
        await client.query(
          `with removed as (
             delete from ${edges} where source_key = $1::uuid or destination_key = $1::uuid returning source
           )
           update ${sources} s set edges = s.edges - r.n
             from (select source, count(*) as n from removed group by 1) r where s.urn = r.source`,
          values,
        );
      }),
    );
  }

  /** Counts the entities whose stored edges match their edge count; an entity that lost an edge is incomplete. */
  count(): Promise<number> {
    const { sources, edges } = this.tables;
    const text = `select count(*) as total from ${sources} s
                    left join (select source_key, count(*) as n from ${edges} group by 1) e on e.source_key = s.key
                   where s.edges = coalesce(e.n, 0)`;
    return this.selectTotal(text);
  }

  filterPresent(urns: readonly string[]): Promise<readonly string[]> {
    const { sources, edges } = this.tables;
    const text = `select s.urn from ${sources} s
                   where s.urn = any($1::text[]) and s.edges = (select count(*) from ${edges} where source_key = s.key)`;
    return this.selectUrns(text, [urns]);
  }

  fingerprintsAfter(after: string | undefined, limit: number): Promise<readonly EntryFingerprint[]> {
    const { sources, edges } = this.tables;
    return this.select<EntryFingerprint>(
      `select s.urn, e.fingerprint
         from ${sources} s
        cross join lateral (
              select md5(string_agg(o::text, chr(10) order by relationship, destination, aspect)) as fingerprint
                from ${edges} o where source_key = s.key having count(*) > 0) e
        where s.urn > $1 order by s.urn limit $2`,
      [after ?? '', limit],
    );
  }
}
