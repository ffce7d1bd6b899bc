import type {
  BuildProgress,
  Clock,
  IndexVersionsState,
  IndexVersions,
  IndexIdentity,
} from '@stratalog/ports';
import type { PoolClient } from 'pg';
import type { Database } from '../database/database';
import type { Kind } from './index-version-tables';

/** One generation of an index. */
export interface IndexVersion {
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
  readonly createStatements: (indexVersion: number) => readonly string[];
  readonly open: (database: Database, indexVersion: IndexVersion) => Index;
}

interface IndexVersionRow {
  readonly index_version: number;
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
export class PostgresIndexVersions<
  Index extends { readonly name: string; readonly indexVersion: number; drop(): Promise<void> },
> implements IndexVersions<Index> {
  private readonly table: string;
  private readonly columns: string;
  private activations = 0;
  private cached: { readonly index: Index | undefined; readonly until: number } | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly kind: IndexKind<Index>,
  ) {
    this.table = `${kind.kind}_index_version`;
    const areThere = kind.tables.map((table) => `to_regclass('${table}' || index_version) is not null`);
    this.columns = `index_version, store_id, epoch, mapping, layout, outdated, done, total, ${areThere.join(' and ')} as whole`;
  }

  async live(): Promise<Index | undefined> {
    if (this.cached !== undefined && performance.now() < this.cached.until) return this.cached.index;
    const { activations } = this;
    const [row] = await this.select('live');
    const index = row?.whole === true ? this.indexOf(row) : undefined;
    // An answer that was on its way while another index took over is out of date.
    if (activations === this.activations) this.cached = { index, until: performance.now() + LIVE_CACHE_MS };
    return index;
  }

  async create(identity: IndexIdentity): Promise<Index> {
    const row = await this.database.transaction(async (client) => {
      const { rows } = await client.query<IndexVersionRow>(
        `select ${this.columns} from ${this.table}
          where not live and retired_ms is null and store_id = $1 and epoch = $2 and mapping = $3 and layout = $4
          order by index_version desc limit 1`,
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

  async activate(index: Index): Promise<void> {
    rejectOthers(index);
    await this.database.transaction(async (client) => {
      await client.query(`update ${this.table} set live = false, retired_ms = $2 where index_version <> $1`, [
        index.indexVersion,
        this.clock.now(),
      ]);
      await client.query(`update ${this.table} set live = true, retired_ms = null where index_version = $1`, [
        index.indexVersion,
      ]);
    });
    this.forgetLive();
  }

  async retire(index: Index): Promise<void> {
    rejectOthers(index);
    await this.update('live = false, retired_ms = coalesce(retired_ms, $2) where index_version = $1', [
      index.indexVersion,
      this.clock.now(),
    ]);
    this.forgetLive();
  }

  async requestRebuild(): Promise<void> {
    await this.update('outdated = true where live', []);
    this.forgetLive();
  }

  async state(): Promise<IndexVersionsState> {
    const [live] = await this.select('live');
    const [building] = await this.select(
      'not live and retired_ms is null order by index_version desc limit 1',
    );
    return {
      ...(live?.whole === true ? { live: { name: this.indexOf(live).name, isOutdated: live.outdated } } : {}),
      ...(building === undefined
        ? {}
        : { building: { name: this.indexOf(building).name, ...toProgress(building) } }),
    };
  }

  async deleteRetired(): Promise<void> {
    const rows = await this.select('retired_ms < $1', [this.clock.now() - RETIRED_FOR_MS]);
    for (const row of rows) await this.indexOf(row).drop();
  }

  private select(condition: string, values: readonly unknown[] = []): Promise<readonly IndexVersionRow[]> {
    const text = `select ${this.columns} from ${this.table} where ${condition}`;
    return this.database.read(
      async (client) => (await client.query<IndexVersionRow>(text, [...values])).rows,
    );
  }

  private async update(change: string, values: readonly unknown[]): Promise<void> {
    await this.database.use((client) => client.query(`update ${this.table} set ${change}`, [...values]));
  }

  private forgetLive(): void {
    this.activations++;
    this.cached = undefined;
  }

  /** One of another layout, or to be replaced, counts as made from something else, and is built anew. */
  private indexOf(row: IndexVersionRow): Index {
    const mapping = [
      row.mapping,
      ...(row.layout === this.kind.layout ? [] : [`in layout ${String(row.layout)}`]),
      ...(row.outdated ? ['to be replaced'] : []),
    ].join(', ');
    const identity = { storeId: row.store_id, epoch: row.epoch, mapping };
    return this.kind.open(this.database, { number: row.index_version, identity, layout: row.layout });
  }

  private async begin(client: PoolClient, identity: IndexIdentity): Promise<IndexVersionRow> {
    const { rows } = await client.query<IndexVersionRow>(
      `insert into ${this.table} (store_id, epoch, mapping, layout) values ($1, $2, $3, $4) returning ${this.columns}`,
      [identity.storeId, identity.epoch, identity.mapping, this.kind.layout],
    );
    const row = rows[0];
    if (row === undefined) throw new Error('An index version was inserted but not returned');
    for (const statement of this.kind.createStatements(row.index_version)) await client.query(statement);
    return { ...row, whole: true };
  }
}

function rejectOthers({
  name,
  indexVersion,
}: {
  readonly name: string;
  readonly indexVersion: number;
}): void {
  if (!Number.isInteger(indexVersion)) throw new TypeError(`${name} is not an index in PostgreSQL`);
}

function toProgress({ done, total }: IndexVersionRow): { readonly progress?: BuildProgress } {
  return done === null || total === null ? {} : { progress: { done, total } };
}
