import type { Clock, IndexIdentity, SearchIndex, SearchIndexes } from '@stratalog/ports';
import type { PoolClient } from 'pg';
import type { Database } from './database';
import { PostgresSearchIndex, createTableStatements, tableOf } from './search-index';

interface GenerationRow {
  readonly generation: number;
  readonly store_id: string;
  readonly epoch: number;
  readonly mapping: string;
}

/** Another process may promote an index; a reader notices within this time. */
const LIVE_CACHE_MS = 1_000;
const COLUMNS = 'generation, store_id, epoch, mapping';

/** The generations of the search index in one database. */
export class PostgresSearchIndexes implements SearchIndexes {
  private cached: { readonly index: PostgresSearchIndex | undefined; readonly until: number } | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async live(): Promise<SearchIndex | undefined> {
    if (this.cached !== undefined && this.clock.now() < this.cached.until) return this.cached.index;
    const rows = await this.database.use(
      async (client) =>
        (await client.query<GenerationRow>(`select ${COLUMNS} from search_generation where live`)).rows,
    );
    const index = rows[0] === undefined ? undefined : this.indexOf(rows[0]);
    this.cached = { index, until: this.clock.now() + LIVE_CACHE_MS };
    return index;
  }

  async create(identity: IndexIdentity): Promise<SearchIndex> {
    const row = await this.database.transaction(async (client) => {
      const { rows } = await client.query<GenerationRow>(
        `select ${COLUMNS} from search_generation
          where not live and store_id = $1 and epoch = $2 and mapping = $3 order by generation desc limit 1`,
        [identity.storeId, identity.epoch, identity.mapping],
      );
      return rows[0] ?? (await createGeneration(client, identity));
    });
    return this.indexOf(row);
  }

  async promote(index: SearchIndex): Promise<void> {
    if (!(index instanceof PostgresSearchIndex))
      throw new TypeError(`${index.name} is not an index in PostgreSQL`);
    const { generation } = index;
    await this.database.transaction(async (client) => {
      const { rows } = await client.query<{ generation: number }>(
        'delete from search_generation where generation <> $1 returning generation',
        [generation],
      );
      for (const former of rows) await client.query(`drop table if exists ${tableOf(former.generation)}`);
      await client.query('update search_generation set live = true where generation = $1', [generation]);
    });
    this.cached = undefined;
  }

  private indexOf(row: GenerationRow): PostgresSearchIndex {
    const identity = { storeId: row.store_id, epoch: row.epoch, mapping: row.mapping };
    return new PostgresSearchIndex(this.database, row.generation, identity);
  }
}

async function createGeneration(client: PoolClient, identity: IndexIdentity): Promise<GenerationRow> {
  const { rows } = await client.query<GenerationRow>(
    `insert into search_generation (store_id, epoch, mapping) values ($1, $2, $3) returning ${COLUMNS}`,
    [identity.storeId, identity.epoch, identity.mapping],
  );
  const row = rows[0];
  if (row === undefined) throw new Error('A generation was inserted but not returned');
  for (const statement of createTableStatements(row.generation)) await client.query(statement);
  return row;
}
