import type { BuildProgress, IndexIdentity, IndexVersion, IndexVersionStore } from '@stratalog/ports';
import type { Database } from '../database/database';
import type { Kind } from './postgres-index';

/** Describes one kind of index that has versions; table names begin with `kind`. */
interface IndexKind<Index> {
  readonly kind: Kind;
  /** Version of the table layout. Increase it when the tables change; indices of another layout are rebuilt. */
  readonly layout: number;
  /** Prefixes of the table names; the number of the index version follows. The first table names the version. */
  readonly tables: readonly [string, ...string[]];
  readonly createStatements: (indexVersion: number) => readonly string[];
  readonly open: (database: Database, indexVersion: IndexVersion) => Index;
}

interface IndexVersionRow {
  readonly index_version: number;
  readonly store_id: string;
  readonly epoch: number;
  readonly mapping: string;
  readonly layout: number;
  readonly live: boolean;
  readonly retired_ms: number | null;
  readonly outdated: boolean;
  readonly done: number | null;
  readonly total: number | null;
  /** False when one of its tables is missing. */
  readonly complete: boolean;
}

/** Stores the versions of one kind of index in one database: a row and a set of tables for each. */
export class PostgresIndexVersionStore<Index> implements IndexVersionStore<Index> {
  readonly layout: number;
  private readonly table: string;

  constructor(
    private readonly database: Database,
    private readonly kind: IndexKind<Index>,
  ) {
    this.layout = kind.layout;
    this.table = `${kind.kind}_index_version`;
  }

  async list(): Promise<readonly IndexVersion[]> {
    const tablesExist = this.kind.tables.map(
      (table) => `to_regclass('${table}' || index_version) is not null`,
    );
    const text = `select *, ${tablesExist.join(' and ')} as complete from ${this.table} order by index_version`;
    const rows = await this.database.read(async (client) => (await client.query<IndexVersionRow>(text)).rows);
    return rows.map((row) => toIndexVersion(row, this.kind.tables[0] + String(row.index_version)));
  }

  async create({ storeId, epoch, mapping }: IndexIdentity): Promise<void> {
    await this.database.transaction(async (client) => {
      const { rows } = await client.query<{ index_version: number }>(
        `insert into ${this.table} (store_id, epoch, mapping, layout) values ($1, $2, $3, $4) returning index_version`,
        [storeId, epoch, mapping, this.layout],
      );
      for (const { index_version: indexVersion } of rows) {
        for (const statement of this.kind.createStatements(indexVersion)) await client.query(statement);
      }
    });
  }

  open(version: IndexVersion): Index {
    return this.kind.open(this.database, version);
  }

  async activate(id: string, nowMs: number): Promise<void> {
    await this.database.transaction(async (client) => {
      await client.query(
        `update ${this.table} set live = false, retired_ms = coalesce(retired_ms, $2) where index_version <> $1`,
        [id, nowMs],
      );
      await client.query(`update ${this.table} set live = true, retired_ms = null where index_version = $1`, [
        id,
      ]);
    });
  }

  retire(id: string, nowMs: number): Promise<void> {
    return this.update(id, 'live = false, retired_ms = coalesce(retired_ms, $2)', [nowMs]);
  }

  markOutdated(id: string): Promise<void> {
    return this.update(id, 'outdated = true');
  }

  noteProgress(id: string, { done, total }: BuildProgress): Promise<void> {
    return this.update(id, 'done = $2, total = $3', [done, total]);
  }

  async drop(id: string): Promise<void> {
    const tables = this.kind.tables.map((table) => table + String(Number(id)));
    await this.database.transaction(async (client) => {
      await client.query(`delete from ${this.table} where index_version = $1`, [id]);
      await client.query(`drop table if exists ${tables.join(', ')}`);
    });
  }

  private async update(id: string, change: string, values: readonly unknown[] = []): Promise<void> {
    const text = `update ${this.table} set ${change} where index_version = $1`;
    await this.database.use((client) => client.query(text, [id, ...values]));
  }
}

function toIndexVersion(row: IndexVersionRow, name: string): IndexVersion {
  const { done, total, retired_ms: retiredMs } = row;
  return {
    id: String(row.index_version),
    name,
    identity: { storeId: row.store_id, epoch: row.epoch, mapping: row.mapping },
    layout: row.layout,
    state: toState(row),
    ...(retiredMs === null ? {} : { retiredMs }),
    isOutdated: row.outdated,
    isComplete: row.complete,
    ...(done === null || total === null ? {} : { progress: { done, total } }),
  };
}

function toState({ live, retired_ms: retiredMs }: IndexVersionRow): IndexVersion['state'] {
  if (live) return 'live';
  return retiredMs === null ? 'building' : 'retired';
}
