import type {
  BuildProgress,
  Clock,
  GenerationsState,
  IndexGenerations,
  IndexIdentity,
} from '@stratalog/ports';
import type { PoolClient } from 'pg';
import type { Database } from './database';
import type { Kind } from './generation-tables';

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
  /** The tables of a generation: each of these with its number behind. */
  readonly tables: readonly string[];
  readonly createStatements: (generation: number) => readonly string[];
  readonly open: (database: Database, generation: Generation) => Index;
}

interface GenerationRow {
  readonly generation: number;
  readonly store_id: string;
  readonly epoch: number;
  readonly mapping: string;
  readonly layout: number;
  readonly outdated: boolean;
  readonly done: number | null;
  readonly total: number | null;
  /** False when a table of it is gone. */
  readonly whole: boolean;
}

/** Another process may promote an index; a reader notices within this time. */
const LIVE_CACHE_MS = 1_000;
/** Longer than a question may take, so that none meets a table that is gone. */
const RETIRED_FOR_MS = 120_000;

/** The generations of one kind of index in one database. */
export class PostgresGenerations<
  Index extends { readonly name: string; readonly generation: number; drop(): Promise<void> },
> implements IndexGenerations<Index> {
  private readonly table: string;
  private readonly columns: string;
  private promotions = 0;
  private cached: { readonly index: Index | undefined; readonly until: number } | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly kind: IndexKind<Index>,
  ) {
    this.table = `${kind.kind}_generation`;
    const areThere = kind.tables.map((table) => `to_regclass('${table}' || generation) is not null`);
    this.columns = `generation, store_id, epoch, mapping, layout, outdated, done, total, ${areThere.join(' and ')} as whole`;
  }

  async live(): Promise<Index | undefined> {
    if (this.cached !== undefined && performance.now() < this.cached.until) return this.cached.index;
    const { promotions } = this;
    const [row] = await this.select('live');
    const index = row?.whole === true ? this.indexOf(row) : undefined;
    // An answer that was on its way while another index took over is out of date.
    if (promotions === this.promotions) this.cached = { index, until: performance.now() + LIVE_CACHE_MS };
    return index;
  }

  async create(identity: IndexIdentity): Promise<Index> {
    const row = await this.database.transaction(async (client) => {
      const { rows } = await client.query<GenerationRow>(
        `select ${this.columns} from ${this.table}
          where not live and retired_ms is null and store_id = $1 and epoch = $2 and mapping = $3 and layout = $4
          order by generation desc limit 1`,
        [identity.storeId, identity.epoch, identity.mapping, this.kind.layout],
      );
      return rows[0] ?? (await this.begin(client, identity));
    });
    const index = this.indexOf(row);
    if (row.whole) return index;
    // What is left of a damaged one is no base to go on from.
    await index.drop();
    return this.create(identity);
  }

  async promote(index: Index): Promise<void> {
    refuseOthers(index);
    await this.database.transaction(async (client) => {
      await client.query(`update ${this.table} set live = false, retired_ms = $2 where generation <> $1`, [
        index.generation,
        this.clock.now(),
      ]);
      await client.query(`update ${this.table} set live = true, retired_ms = null where generation = $1`, [
        index.generation,
      ]);
    });
    this.forgetLive();
  }

  async retire(index: Index): Promise<void> {
    refuseOthers(index);
    await this.update('live = false, retired_ms = coalesce(retired_ms, $2) where generation = $1', [
      index.generation,
      this.clock.now(),
    ]);
    this.forgetLive();
  }

  async requestRebuild(): Promise<void> {
    await this.update('outdated = true where live', []);
    this.forgetLive();
  }

  async state(): Promise<GenerationsState> {
    const [live] = await this.select('live');
    const [building] = await this.select('not live and retired_ms is null order by generation desc limit 1');
    return {
      ...(live?.whole === true ? { live: { name: this.indexOf(live).name, isOutdated: live.outdated } } : {}),
      ...(building === undefined
        ? {}
        : { building: { name: this.indexOf(building).name, ...progressOf(building) } }),
    };
  }

  async sweep(): Promise<void> {
    const rows = await this.select('retired_ms < $1', [this.clock.now() - RETIRED_FOR_MS]);
    for (const row of rows) await this.indexOf(row).drop();
  }

  private select(condition: string, values: readonly unknown[] = []): Promise<readonly GenerationRow[]> {
    const text = `select ${this.columns} from ${this.table} where ${condition}`;
    return this.database.read(async (client) => (await client.query<GenerationRow>(text, [...values])).rows);
  }

  private async update(change: string, values: readonly unknown[]): Promise<void> {
    await this.database.use((client) => client.query(`update ${this.table} set ${change}`, [...values]));
  }

  private forgetLive(): void {
    this.promotions++;
    this.cached = undefined;
  }

  /** One of another layout, or to be replaced, counts as made from something else, and is built anew. */
  private indexOf(row: GenerationRow): Index {
    const mapping = [
      row.mapping,
      ...(row.layout === this.kind.layout ? [] : [`in layout ${String(row.layout)}`]),
      ...(row.outdated ? ['to be replaced'] : []),
    ].join(', ');
    const identity = { storeId: row.store_id, epoch: row.epoch, mapping };
    return this.kind.open(this.database, { number: row.generation, identity, layout: row.layout });
  }

  private async begin(client: PoolClient, identity: IndexIdentity): Promise<GenerationRow> {
    const { rows } = await client.query<GenerationRow>(
      `insert into ${this.table} (store_id, epoch, mapping, layout) values ($1, $2, $3, $4) returning ${this.columns}`,
      [identity.storeId, identity.epoch, identity.mapping, this.kind.layout],
    );
    const row = rows[0];
    if (row === undefined) throw new Error('A generation was inserted but not returned');
    for (const statement of this.kind.createStatements(row.generation)) await client.query(statement);
    return { ...row, whole: true };
  }
}

function refuseOthers({ name, generation }: { readonly name: string; readonly generation: number }): void {
  if (!Number.isInteger(generation)) throw new TypeError(`${name} is not an index in PostgreSQL`);
}

function progressOf({ done, total }: GenerationRow): { readonly progress?: BuildProgress } {
  return done === null || total === null ? {} : { progress: { done, total } };
}
