import type { EntityEdges, PartitionOffsets, RelatedEntities, RelationshipRequest } from '@stratalog/model';
import type { EntryFingerprint, GraphIndex, IndexIdentity } from '@stratalog/ports';
import type { QueryConfig } from 'pg';
import type { Database } from './database';
import { dropGeneration, positionOf, type Generation } from './generations';
import { relatedEntitiesOf, relatedStatement, type RelatedRow } from './graph-read';
import { graphTablesOf, urnKey, type GraphTables } from './graph-tables';
import { inOneGo } from './in-one-go';
import { writeStatements } from './graph-write';

/** One generation of the relationship graph. */
export class PostgresGraphIndex implements GraphIndex {
  readonly name: string;
  readonly generation: number;
  readonly identity: IndexIdentity;
  private readonly tables: GraphTables;

  constructor(
    private readonly database: Database,
    { number, identity }: Generation,
  ) {
    this.generation = number;
    this.identity = identity;
    this.tables = graphTablesOf(number);
    this.name = this.tables.edges;
  }

  position(): Promise<PartitionOffsets> {
    return positionOf(this.database, 'graph', this.generation);
  }

  async write(entries: readonly EntityEdges[], position: PartitionOffsets = new Map()): Promise<void> {
    const statements = writeStatements(this.tables, this.generation, entries, position);
    await this.database.use((client) =>
      inOneGo(['begin', ...statements, 'commit'].map((statement) => client.query(statement as QueryConfig))),
    );
  }

  async related(
    request: RelationshipRequest,
  ): Promise<RelatedEntities & { readonly position: PartitionOffsets }> {
    const statement = relatedStatement(this.tables, this.generation, request);
    const rows = await this.database.search(
      async (client) => (await client.query<RelatedRow>(statement)).rows,
    );
    return relatedEntitiesOf(request, rows);
  }

  /** Takes the guards first and in the order in which writes take them, so that neither waits for the other in a circle. */
  async removeEdgesOf(urn: string): Promise<void> {
    const { sources, edges } = this.tables;
    const values = [urnKey(urn)];
    await this.database.transaction(async (client) => {
      await client.query(
        `select from ${sources}
          where urn in (select source from ${edges} where source_key = $1::uuid or destination_key = $1::uuid)
          order by urn for update`,
        values,
      );
      await client.query(
        `delete from ${edges} where source_key = $1::uuid or destination_key = $1::uuid`,
        values,
      );
    });
  }

  async fingerprintsAfter(after: string | undefined, limit: number): Promise<readonly EntryFingerprint[]> {
    const { sources, edges } = this.tables;
    return this.database.use(async (client) => {
      const { rows } = await client.query<EntryFingerprint>(
        `select s.urn, e.fingerprint
           from ${sources} s
          cross join lateral (
                select md5(string_agg(o::text, chr(10) order by relationship, destination, aspect)) as fingerprint
                  from ${edges} o where source_key = s.key having count(*) > 0) e
          where s.urn > $1 order by s.urn limit $2`,
        [after ?? '', limit],
      );
      return rows;
    });
  }

  drop(): Promise<void> {
    const { sources, edges } = this.tables;
    return dropGeneration(this.database, 'graph', this.generation, [edges, sources]);
  }
}
