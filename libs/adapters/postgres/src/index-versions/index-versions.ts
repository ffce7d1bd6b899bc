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

/** One version of an index. */
export interface IndexVersion {
  readonly number: number;
  readonly identity: IndexIdentity;
  /** Version of the layout of its tables. */
  readonly layout: number;
}

/** Describes one kind of index that has versions; table names begin with `kind`. */
export interface IndexKind<Index> {
  readonly kind: Kind;
  /** Version of the table layout. Increase it when the tables change; indices of another layout are rebuilt. */
  readonly layout: number;
  /** Prefixes of the table names; the number of the index version follows. */
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
  /** False when one of its tables is missing. */
  readonly whole: boolean;
}

/** Lifetime of the cached live version. A process notices another process's activation within this time. */
const LIVE_CACHE_MS = 1_000;
/**
 * Age at which a retired version is deleted. It exceeds the duration of any query, so that no query loses its table.
 */
const RETIRED_FOR_MS = 120_000;

/** Manages the versions of one kind of index in one database. */
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
    const tablesExist = kind.tables.map((table) => `to_regclass('${table}' || index_version) is not null`);
    this.columns = `index_version, store_id, epoch, mapping, layout, outdated, done, total, ${tablesExist.join(' and ')} as whole`;
  }

  async live(): Promise<Index | undefined> {
    if (this.cached !== undefined && performance.now() < this.cached.until) return this.cached.index;
    const { activations } = this;
    const [row] = await this.select('live');
    const index = row?.whole === true ? this.openIndex(row) : undefined;
    // An answer that was read before another activation is out of date.
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
    const index = this.openIndex(row);
    if (row.whole) return index;
    // A damaged version cannot be continued.
    await index.drop();
    return this.create(identity);
  }

  async activate(index: Index): Promise<void> {
    requirePostgresIndex(index);
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
    requirePostgresIndex(index);
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
      ...(live?.whole === true
        ? { live: { name: this.openIndex(live).name, isOutdated: live.outdated } }
        : {}),
      ...(building === undefined
        ? {}
        : { building: { name: this.openIndex(building).name, ...toProgress(building) } }),
    };
  }

  async deleteRetired(): Promise<void> {
    const rows = await this.select('retired_ms < $1', [this.clock.now() - RETIRED_FOR_MS]);
    for (const row of rows) await this.openIndex(row).drop();
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

  /**
   * Opens the index of a row. A version with another layout, or with a requested rebuild, gets a different `mapping`,
   * so that it is rebuilt.
   */
  private openIndex(row: IndexVersionRow): Index {
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

function requirePostgresIndex({
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
