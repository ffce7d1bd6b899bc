import type { Clock, IndexIdentity, SearchIndex, SearchIndexes } from '@stratalog/ports';
import type { PoolClient } from 'pg';
import type { Database } from './database';
import { PostgresSearchIndex, LAYOUT, createTableStatements } from './search-index';

interface GenerationRow {
  readonly generation: number;
  readonly store_id: string;
  readonly epoch: number;
  readonly mapping: string;
  readonly layout: number;
}

/** Another process may promote an index; a reader notices within this time. */
const LIVE_CACHE_MS = 1_000;
/** Longer than a search may take, so that none meets a table that is gone. */
const RETIRED_FOR_MS = 120_000;
const COLUMNS = 'generation, store_id, epoch, mapping, layout';

/** The generations of the search index in one database. */
export class PostgresSearchIndexes implements SearchIndexes {
  private promotions = 0;
  private cached: { readonly index: PostgresSearchIndex | undefined; readonly until: number } | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async live(): Promise<SearchIndex | undefined> {
    if (this.cached !== undefined && this.clock.now() < this.cached.until) return this.cached.index;
    const { promotions } = this;
    const row = await this.database.use(
      async (client) =>
        (await client.query<GenerationRow>(`select ${COLUMNS} from search_generation where live`)).rows[0],
    );
    const index = row === undefined ? undefined : this.indexOf(row);
    // An answer that was on its way while another index took over is out of date.
    if (promotions === this.promotions) this.cached = { index, until: this.clock.now() + LIVE_CACHE_MS };
    return index;
  }

  async create(identity: IndexIdentity): Promise<SearchIndex> {
    const row = await this.database.transaction(async (client) => {
      const { rows } = await client.query<GenerationRow>(
        `select ${COLUMNS} from search_generation
          where not live and retired_ms is null and store_id = $1 and epoch = $2 and mapping = $3 and layout = $4
          order by generation desc limit 1`,
        [identity.storeId, identity.epoch, identity.mapping, LAYOUT],
      );
      return rows[0] ?? (await createGeneration(client, identity));
    });
    return this.indexOf(row);
  }

  async promote(index: SearchIndex): Promise<void> {
    if (!(index instanceof PostgresSearchIndex)) {
      throw new TypeError(`${index.name} is not an index in PostgreSQL`);
    }
    await this.database.transaction(async (client) => {
      await client.query(
        'update search_generation set live = false, retired_ms = $2 where generation <> $1',
        [index.generation, this.clock.now()],
      );
      await client.query(
        'update search_generation set live = true, retired_ms = null where generation = $1',
        [index.generation],
      );
    });
    this.promotions++;
    this.cached = undefined;
  }

  async sweep(): Promise<void> {
    const rows = await this.database.use(
      async (client) =>
        (
          await client.query<GenerationRow>(
            `select ${COLUMNS} from search_generation where retired_ms < $1`,
            [this.clock.now() - RETIRED_FOR_MS],
          )
        ).rows,
    );
    for (const row of rows) await this.indexOf(row).drop();
  }

  private indexOf(row: GenerationRow): PostgresSearchIndex {
    // Of another layout it counts as made from something else, and is built anew.
    const mapping = row.layout === LAYOUT ? row.mapping : `${row.mapping} in layout ${String(row.layout)}`;
    const identity = { storeId: row.store_id, epoch: row.epoch, mapping };
    return new PostgresSearchIndex(this.database, row.generation, identity);
  }
}

async function createGeneration(client: PoolClient, identity: IndexIdentity): Promise<GenerationRow> {
  const { rows } = await client.query<GenerationRow>(
    `insert into search_generation (store_id, epoch, mapping, layout) values ($1, $2, $3, $4) returning ${COLUMNS}`,
    [identity.storeId, identity.epoch, identity.mapping, LAYOUT],
  );
  const row = rows[0];
  if (row === undefined) throw new Error('A generation was inserted but not returned');
  for (const statement of createTableStatements(row.generation)) await client.query(statement);
  return row;
}
