import {
  parseSequences,
  type EdgesPage,
  type EdgesRequest,
  type EntityEdges,
  type LineageDirection,
  type LineageEdge,
  type LineageEdgesRequest,
  type LineageHop,
  type LineageHopRequest,
  type LineagePage,
  type LineagePageRequest,
  type PartitionSequences,
  type RelatedEntities,
  type RelationshipCount,
  type RelationshipRequest,
} from '@stratalog/domain';
import { inSlices } from '@stratalog/concurrency';
import type { EntryFingerprint, GraphIndex, IndexVersion } from '@stratalog/ports';
import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';
import type { Database } from '../database/database';
import { edgesStatement, formatPlace, type EdgesRow } from './all-edges';
import { edgePortions } from './edge-portions';
import { PostgresIndex, onTables, requireMoved } from '../index-versions/postgres-index';
import {
  lineageColumnsStatement,
  lineageHopStatement,
  limitSteps,
  ordinaryHopStatement,
  ordinaryLimit,
  toLineageHop,
} from './graph-lineage';
import {
  lineageEdgesStatement,
  lineagePageStatement,
  toLineageEdges,
  toLineagePage,
  type PairRow,
} from './graph-lineage-edges';
import {
  countStatement,
  toEdges,
  toRelatedEntities,
  relatedStatement,
  type CountRow,
  type RelatedRow,
} from './graph-read';
import { graphTablesOf, ownEdgesText, urnKey, type GraphTables } from './graph-tables';
import { LongUrns, storedEnd } from './long-urns';
import { pipelined } from '../database/pipelined';
import { writeStatements } from './graph-write';

/** From so many ends, a wrong plan costs more than what keeps the server from it. */
const MANY_ENDS = 100;

/** Implements one version of the relationship graph on PostgreSQL. */
export class PostgresGraphIndex extends PostgresIndex implements GraphIndex {
  private readonly tables: GraphTables;
  private readonly longUrns: LongUrns;

  constructor(database: Database, indexVersion: IndexVersion) {
    super(database, 'graph', indexVersion);
    this.tables = graphTablesOf(this.indexVersion);
    this.longUrns = new LongUrns(database, this.tables);
  }

  async write(entries: readonly EntityEdges[], position: PartitionSequences = new Map()): Promise<void> {
    if (entries.length > 0) this.database.requireRoom();
    const portions = await inSlices(edgePortions(entries));
    await this.longUrns.store(entries);
    await onTables(
      this.database.use(async (client) => {
        const statements = writeStatements(this.tables, this.indexVersion, entries, { portions, position });
        let results: readonly QueryResult[] = [];
        for (const together of statements) {
          results = await pipelined(together.map((statement) => client.query(statement as QueryConfig)));
        }
        // The checkpoint moves right before the commit.
        requireMoved(position, results.at(-2));
      }),
    );
  }

  async related(
    request: RelationshipRequest,
  ): Promise<RelatedEntities & { readonly position: PartitionSequences }> {
    const statement = relatedStatement(this.tables, this.indexVersion, request);
    const rows = await this.runSearch<RelatedRow>(statement);
    return toRelatedEntities(request, await this.longUrns.expand(rows, 'source', 'destination'));
  }

  async edges(request: EdgesRequest): Promise<EdgesPage & { readonly position: PartitionSequences }> {
    const rows = await this.runSearch<EdgesRow>(edgesStatement(this.tables, this.indexVersion, request));
    const next = rows.length < request.count ? undefined : formatPlace(rows.at(-1));
    return {
      edges: toEdges(await this.longUrns.expand(rows, 'source', 'destination')),
      ...(next === undefined ? {} : { next }),
      position: parseSequences(rows[0]?.position ?? {}),
    };
  }

  async countRelated(
    urn: string,
  ): Promise<{ readonly counts: readonly RelationshipCount[]; readonly position: PartitionSequences }> {
    const rows = await this.runSearch<CountRow>(countStatement(this.tables, this.indexVersion, urn));
    const counts = rows.flatMap((row): RelationshipCount[] => {
      if (row.relationship === null) return [];
      const { relationship, direction, count } = row;
      return [{ relationship, direction, count }];
    });
    return { counts, position: parseSequences(rows[0]?.position ?? {}) };
  }

  async lineageHop(
    request: LineageHopRequest,
  ): Promise<LineageHop & { readonly position: PartitionSequences }> {
    const ordinary = toLineageHop(
      request,
      await this.runSearch(ordinaryHopStatement(this.tables, this.indexVersion, request)),
    );
    if (ordinary.steps.length < ordinaryLimit(request))
      return this.expandHop({ ...ordinary, steps: limitSteps(ordinary.steps, request.limitPerUrn) });
    const statement = lineageHopStatement(this.tables, this.indexVersion, request);
    return this.expandHop(toLineageHop(request, await this.runForMany(statement)));
  }

  async lineageEdges(request: LineageEdgesRequest): Promise<readonly LineageEdge[]> {
    if (request.ends.length === 0) return [];
    const ends = request.ends.map(({ near, far }) => ({ near, far: storedEnd(far) }));
    const stored = { ...request, ends };
    const statement = lineageEdgesStatement(this.tables, stored);
    const rows =
      ends.length > MANY_ENDS ? this.runForMany<PairRow>(statement) : this.runSearch<PairRow>(statement);
    return this.longUrns.expand(toLineageEdges(stored, await rows), 'far');
  }

  async lineagePage(
    request: LineagePageRequest,
  ): Promise<LineagePage & { readonly position: PartitionSequences }> {
    const statement = lineagePageStatement(this.tables, this.indexVersion, request);
    const page = toLineagePage(request, await this.runSearch(statement));
    return { ...page, edges: await this.longUrns.expand(page.edges, 'far') };
  }

  async lineageColumns(urn: string, direction: LineageDirection, limit: number): Promise<readonly string[]> {
    const statement = lineageColumnsStatement(this.tables, urn, direction, limit);
    const rows = await this.runSearch<{ readonly urn: string }>(statement);
    return (await this.longUrns.expand(rows, 'urn')).map((row) => row.urn);
  }

  /** Locks the guard rows first, in the order of writes, so that a removal and a write cannot deadlock. */
  async removeEdges(urn: string): Promise<void> {
    const { sources, edges } = this.tables;
    const values = [urnKey(urn)];
    await onTables(
      this.database.transaction(async (client) => {
        await client.query(
          `select from ${sources}
            where urn in (select coalesce(owner, source) from ${edges}
                           where source_key = $1::uuid or destination_key = $1::uuid)
            order by urn for update`,
          values,
        );
        await client.query(
          `with removed as (
             delete from ${edges} where source_key = $1::uuid or destination_key = $1::uuid
             returning coalesce(owner, source) as urn
           )
           update ${sources} s set edges = s.edges - r.n
             from (select urn, count(*) as n from removed group by 1) r where s.urn = r.urn`,
          values,
        );
      }),
    );
  }

  /** Counts the entities whose stored edges match their edge count; an entity that lost an edge is incomplete. */
  count(): Promise<number> {
    const { sources, edges } = this.tables;
    const text = `select count(*) as total from ${sources} s
                    left join (select owner_key, count(*) as n from ${edges} group by 1) e on e.owner_key = s.key
                   where s.edges = coalesce(e.n, 0)`;
    return this.selectTotal(text);
  }

  filterPresent(urns: readonly string[]): Promise<readonly string[]> {
    const { sources, edges } = this.tables;
    const text = `select s.urn from ${sources} s
                   where s.urn = any($1::text[]) and s.edges = (select count(*) from (${ownEdgesText(edges, 's.key', 'aspect')}) o)`;
    return this.selectUrns(text, [urns]);
  }

  fingerprintsAfter(after: string | undefined, limit: number): Promise<readonly EntryFingerprint[]> {
    const { sources, edges } = this.tables;
    return this.select<EntryFingerprint>(
      `select s.urn, e.fingerprint
         from ${sources} s
        cross join lateral (
              select md5(string_agg(o::text, chr(10) order by source, relationship, destination, aspect)) as fingerprint
                from (${ownEdgesText(edges, 's.key', '*')}) o having count(*) > 0) e
        where s.urn > $1 order by s.urn limit $2`,
      [after ?? '', limit],
    );
  }

  private async expandHop<Hop extends LineageHop>(hop: Hop): Promise<Hop> {
    return { ...hop, steps: await this.longUrns.expand(hop.steps, 'far') };
  }

  private runSearch<Row extends QueryResultRow>(statement: QueryConfig): Promise<Row[]> {
    return onTables(this.database.search(async (client) => (await client.query<Row>(statement)).rows));
  }

  /**
   * Runs a statement that repeats its scans for many ends. A cached plan outlives the table size that it was made for: a plan for a
   * small table would scan a large one for each end. The statement has a name of its own, because the plan of a name is kept.
   */
  private runForMany<Row extends QueryResultRow>(statement: QueryConfig): Promise<Row[]> {
    return onTables(
      this.database.search(async (client) => {
        const [, , { rows }] = await pipelined([
          client.query('begin'),
          client.query('set local enable_seqscan = off'),
          client.query<Row>({ ...statement, name: `many-${statement.name ?? ''}` }),
          client.query('commit'),
        ]);
        return rows;
      }),
    );
  }
}
