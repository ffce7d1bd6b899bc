import type {
  Activation,
  ActivationOutcome,
  BuildHeartbeat,
  BuildProgress,
  IndexIdentity,
  IndexVersion,
  IndexVersionStore,
  RebuildMark,
} from '@stratalog/ports';
import type { PoolClient } from 'pg';
import { IsNull, Not, type QueryDeepPartialEntity } from 'typeorm';
import type { Database } from '../database/database';
import type { IndexVersionRow } from '../rows/index-version.row';
import type { Kind } from './postgres-index';

/** Describes one kind of index that has versions. */
interface IndexKind<Index> {
  readonly name: Kind;
  readonly row: new () => IndexVersionRow;
  /** Version of the table layout. Increase it when the tables change; indices of another layout are rebuilt. */
  readonly layout: number;
  /**
   * Prefixes of the table names; the number of the index version follows. The first table names the version. An index of
   * another layout may lack the others.
   */
  readonly tables: readonly [string, ...string[]];
  readonly createStatements: (indexVersion: number) => readonly string[];
  readonly open: (database: Database, indexVersion: IndexVersion) => Index;
}

/** With four times as many, the highest rate of indexed writes fell by a sixth. */
const CHANGES_PER_BATCH = 1_600;

/** Stores the versions of one kind of index in one database: a row and a set of tables for each. */
export class PostgresIndexVersionStore<Index> implements IndexVersionStore<Index> {
  readonly layout: number;
  readonly changesPerBatch = CHANGES_PER_BATCH;

  constructor(
    private readonly database: Database,
    private readonly kind: IndexKind<Index>,
  ) {
    this.layout = kind.layout;
  }

  async list(): Promise<readonly IndexVersion[]> {
    const { row, tables, layout } = this.kind;
    const tablesExist = tables.map((table, at) => {
      const exists = `to_regclass('${table}' || index_version) is not null`;
      return at === 0 ? exists : `(layout <> ${String(layout)} or ${exists})`;
    });
    const { entities, raw } = await this.database.read((_, rows) =>
      rows
        .createQueryBuilder(row, 'version')
        .addSelect(tablesExist.join(' and '), 'complete')
        .orderBy('version.indexVersion')
        .getRawAndEntities<{ readonly complete: boolean }>(),
    );
    return entities.map((each, at) => ({
      ...toIndexVersion(each),
      name: tables[0] + String(each.indexVersion),
      isComplete: raw[at]?.complete === true,
    }));
  }

  async create({ storeId, epoch, mapping }: IndexIdentity): Promise<void> {
    const { row, layout, createStatements } = this.kind;
    await this.database.transaction(async (client, rows) => {
      const { indexVersion } = await rows.save(row, { storeId, epoch, mapping, layout });
      for (const statement of createStatements(indexVersion)) await client.query(statement);
    });
  }

  open(version: IndexVersion): Index {
    return this.kind.open(this.database, version);
  }

  async activate(id: string, { former, mustCover, nowMs }: Activation): Promise<ActivationOutcome> {
    const { row, tables } = this.kind;
    // Until the server collects statistics by itself, within minutes, it would plan queries as if the tables were empty. Tables that take
    // longer than a statement may become live without.
    await this.database
      .use((client) => client.query(`analyze ${toNames(tables, id)}`))
      .catch(() => undefined);
    return this.database.transaction(async (client, rows) => {
      // A write that moves a checkpoint locks the row of its version too: it ends before this, or finds its version retired.
      const locked = await rows.find(row, {
        where: [{ indexVersion: Number(id) }, { live: true }],
        order: { indexVersion: 'asc' },
        lock: { mode: 'pessimistic_write' },
      });
      const own = locked.find(({ indexVersion }) => indexVersion === Number(id));
      const live = locked.find((version) => version.live && version !== own);
      const liveId = live === undefined ? undefined : String(live.indexVersion);
      if (own === undefined || own.retiredMs !== null || liveId !== former) return 'replaced';
      if (mustCover && live !== undefined && (await this.isBehind(client, own, live))) return 'behind';
      const others = { indexVersion: Not(Number(id)), retiredMs: IsNull() };
      await rows.update(row, others, { live: false, retiredMs: nowMs });
      await rows.update(row, Number(id), { live: true });
      return 'activated';
    });
  }

  /** True when the checkpoint of `other` has a change that the one of `own` lacks. */
  private async isBehind(client: PoolClient, own: IndexVersionRow, other: IndexVersionRow): Promise<boolean> {
    const checkpoint = `${this.kind.name}_checkpoint`;
    const { rowCount } = await client.query(
      `select from ${checkpoint} o left join ${checkpoint} c on c.index_version = $1 and c.partition = o.partition
        where o.index_version = $2 and o.seq > coalesce(c.seq, 0) limit 1`,
      [own.indexVersion, other.indexVersion],
    );
    return rowCount !== 0;
  }

  async retire(id: string, state: 'building' | 'live', nowMs: number): Promise<void> {
    const version = { indexVersion: Number(id), live: state === 'live', retiredMs: IsNull() };
    await this.database.use((_, rows) =>
      rows.update(this.kind.row, version, { live: false, retiredMs: nowMs }),
    );
  }

  markRebuild(id: string, { isOutdated, isHeld }: RebuildMark): Promise<void> {
    return this.update(id, { outdated: isOutdated, held: isHeld });
  }

  async sendHeartbeat(id: string, { after, builder, progress }: BuildHeartbeat): Promise<boolean> {
    const heartbeat = {
      heartbeats: after + 1,
      builder: builder ?? (() => 'null'),
      ...(progress === undefined ? {} : toColumns(progress)),
    };
    const { affected } = await this.database.use((_, rows) =>
      rows.update(this.kind.row, { indexVersion: Number(id), heartbeats: after }, heartbeat),
    );
    return affected === 1;
  }

  async drop(id: string): Promise<void> {
    await this.database.transaction(async (client, rows) => {
      await rows.delete(this.kind.row, Number(id));
      await client.query(`drop table if exists ${toNames(this.kind.tables, id)}`);
    });
  }

  private async update(id: string, change: QueryDeepPartialEntity<IndexVersionRow>): Promise<void> {
    await this.database.use((_, rows) => rows.update(this.kind.row, Number(id), change));
  }
}

/** Lists the names of a version's tables. */
function toNames(tables: readonly string[], id: string): string {
  return tables.map((table) => table + String(Number(id))).join(', ');
}

function toColumns({ done, total, resume }: BuildProgress): QueryDeepPartialEntity<IndexVersionRow> {
  return { done, total, resume: resume ?? (() => 'null') };
}

function toIndexVersion(row: IndexVersionRow): Omit<IndexVersion, 'name' | 'isComplete'> {
  const { indexVersion, storeId, epoch, mapping, layout, outdated, held, done, total, resume, retiredMs } =
    row;
  const { heartbeats, builder } = row;
  return {
    id: String(indexVersion),
    identity: { storeId, epoch, mapping },
    layout,
    state: toState(row),
    ...(retiredMs === null ? {} : { retiredMs }),
    isOutdated: outdated,
    isHeld: held,
    heartbeats,
    ...(builder === null ? {} : { builder }),
    ...(done === null || total === null
      ? {}
      : { progress: { done, total, ...(resume === null ? {} : { resume }) } }),
  };
}

function toState({ live, retiredMs }: IndexVersionRow): IndexVersion['state'] {
  if (live) return 'live';
  return retiredMs === null ? 'building' : 'retired';
}
