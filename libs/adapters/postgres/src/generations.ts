import type { PartitionOffsets } from '@stratalog/model';
import type { Clock, IndexGenerations, IndexIdentity } from '@stratalog/ports';
import type { PoolClient } from 'pg';
import type { Database } from './database';

export type Kind = 'search' | 'graph';

/** One generation of an index. */
export interface Generation {
  readonly number: number;
  readonly identity: IndexIdentity;
  /** How its tables are laid out. */
  readonly layout: number;
}

/** One kind of index, of which there are generations: the table names begin with `kind`. */
export interface IndexKind<Index> {
  readonly kind: Kind;
  /** Raised when the tables of a generation change: indices of another layout are built anew. */
  readonly layout: number;
  readonly createStatements: (generation: number) => readonly string[];
  readonly open: (database: Database, generation: Generation) => Index;
}

interface GenerationRow {
  readonly generation: number;
  readonly store_id: string;
  readonly epoch: number;
  readonly mapping: string;
  readonly layout: number;
}

/** Another process may promote an index; a reader notices within this time. */
const LIVE_CACHE_MS = 1_000;
/** Longer than a question may take, so that none meets a table that is gone. */
const RETIRED_FOR_MS = 120_000;
const COLUMNS = 'generation, store_id, epoch, mapping, layout';

/** The generations of one kind of index in one database. */
export class PostgresGenerations<
  Index extends { readonly name: string; readonly generation: number; drop(): Promise<void> },
> implements IndexGenerations<Index> {
  private readonly table: string;
  private promotions = 0;
  private cached: { readonly index: Index | undefined; readonly until: number } | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly kind: IndexKind<Index>,
  ) {
    this.table = `${kind.kind}_generation`;
  }

  async live(): Promise<Index | undefined> {
    if (this.cached !== undefined && performance.now() < this.cached.until) return this.cached.index;
    const { promotions } = this;
    const row = await this.database.read(
      async (client) =>
        (await client.query<GenerationRow>(`select ${COLUMNS} from ${this.table} where live`)).rows[0],
    );
    const index = row === undefined ? undefined : this.indexOf(row);
    // An answer that was on its way while another index took over is out of date.
    if (promotions === this.promotions) this.cached = { index, until: performance.now() + LIVE_CACHE_MS };
    return index;
  }

  async create(identity: IndexIdentity): Promise<Index> {
    const row = await this.database.transaction(async (client) => {
      const { rows } = await client.query<GenerationRow>(
        `select ${COLUMNS} from ${this.table}
          where not live and retired_ms is null and store_id = $1 and epoch = $2 and mapping = $3 and layout = $4
          order by generation desc limit 1`,
        [identity.storeId, identity.epoch, identity.mapping, this.kind.layout],
      );
      return rows[0] ?? (await this.begin(client, identity));
    });
    return this.indexOf(row);
  }

  async promote(index: Index): Promise<void> {
    if (!Number.isInteger(index.generation)) {
      throw new TypeError(`${index.name} is not an index in PostgreSQL`);
    }
    await this.database.transaction(async (client) => {
      await client.query(`update ${this.table} set live = false, retired_ms = $2 where generation <> $1`, [
        index.generation,
        this.clock.now(),
      ]);
      await client.query(`update ${this.table} set live = true, retired_ms = null where generation = $1`, [
        index.generation,
      ]);
    });
    this.promotions++;
    this.cached = undefined;
  }

  async sweep(): Promise<void> {
    const rows = await this.database.use(
      async (client) =>
        (
          await client.query<GenerationRow>(`select ${COLUMNS} from ${this.table} where retired_ms < $1`, [
            this.clock.now() - RETIRED_FOR_MS,
          ])
        ).rows,
    );
    for (const row of rows) await this.indexOf(row).drop();
  }

  private indexOf(row: GenerationRow): Index {
    // Of another layout it counts as made from something else, and is built anew.
    const mapping =
      row.layout === this.kind.layout ? row.mapping : `${row.mapping} in layout ${String(row.layout)}`;
    const identity = { storeId: row.store_id, epoch: row.epoch, mapping };
    return this.kind.open(this.database, { number: row.generation, identity, layout: row.layout });
  }

  private async begin(client: PoolClient, identity: IndexIdentity): Promise<GenerationRow> {
    const { rows } = await client.query<GenerationRow>(
      `insert into ${this.table} (store_id, epoch, mapping, layout) values ($1, $2, $3, $4) returning ${COLUMNS}`,
      [identity.storeId, identity.epoch, identity.mapping, this.kind.layout],
    );
    const row = rows[0];
    if (row === undefined) throw new Error('A generation was inserted but not returned');
    for (const statement of this.kind.createStatements(row.generation)) await client.query(statement);
    return row;
  }
}

/** Up to where a generation can find every change. */
export async function positionOf(
  database: Database,
  kind: Kind,
  generation: number,
): Promise<PartitionOffsets> {
  const rows = await database.read(async (client) => {
    const result = await client.query<{ partition: number; seq: number }>({
      name: `${kind}-position`,
      text: `select partition, seq from ${kind}_position where generation = $1`,
      values: [generation],
    });
    return result.rows;
  });
  return new Map(rows.map(({ partition, seq }) => [partition, seq]));
}

/** Removes a generation with its tables. */
export function dropGeneration(
  database: Database,
  kind: Kind,
  generation: number,
  tables: readonly string[],
): Promise<void> {
  return database.transaction(async (client) => {
    await client.query(`delete from ${kind}_generation where generation = $1`, [generation]);
    await client.query(`drop table if exists ${tables.join(', ')}`);
  });
}
