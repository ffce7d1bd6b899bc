import type { PartitionSequences, SystemMetadata } from '@stratalog/domain';
import { parseJson } from '@stratalog/json';
import type {
  AspectHistory,
  AspectRef,
  CatalogChangePage,
  CatalogChangeWindow,
  ChangePage,
  ChangeWindow,
  ChangesOfDay,
  CountedWindow,
  ChangedAspectsQuery,
  DeletionRef,
  FollowedChange,
  PastAspects,
  PastChange,
  PastEntity,
  PastPosition,
  PastTime,
  PastVersion,
  VersionPage,
  VersionRange,
} from '@stratalog/ports';
import type { Database, Statement } from '../database/database';
import { readCatalogChanges } from './catalog-changes';
import { readFollowedChanges } from './followed-changes';
import {
  BARE_NEWEST_FIRST,
  BARE_OLDEST_FIRST,
  CHANGES,
  CHANGES_BY_DAY,
  ENTITY_AT,
  COUNT_VERSIONS_DELETED_BY,
  COUNT_TIMESERIES_DELETED_BY,
  NEWEST_FIRST,
  OLDEST_FIRST,
  VERSIONS_AT,
  VERSION_BOUNDS,
} from './history-statements';
import { ASPECTS_AT, CHANGED_ASPECTS, POSITION_AT, UNWRITTEN } from './past-statements';

/** Maximum bytes of values in a page; the next read returns the rest. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;

interface Bounds {
  readonly oldest: number | null;
  readonly newest: number | null;
  readonly truncated: number | null;
}

interface VersionRow {
  readonly aspect: string;
  readonly version: number;
  readonly seq: number;
  readonly kind: PastVersion['kind'];
  readonly system_metadata: string;
  readonly created_ms: number;
  readonly actor: string;
  readonly value: string | null;
  readonly left_out: boolean;
}

interface ChangeRow extends VersionRow {
  readonly previous_kind: PastVersion['kind'] | null;
  readonly previous_value: string | null;
}

/** When the aspect had no version at that time, all columns but its name and oldest version number are null. */
type AspectAtRow = Partial<Nullable<Omit<VersionRow, 'aspect' | 'left_out'>>> & {
  readonly aspect: string;
  readonly oldest: number;
};
type Nullable<Row> = { readonly [Column in keyof Row]: Row[Column] | null };

/** An aspect at a time, with its place in the request. */
type RefAtRow = Omit<AspectAtRow, 'aspect'> & {
  readonly n: number;
  readonly urn: string;
  readonly aspect: string | null;
  readonly left_out: boolean | null;
};

function rangeStatementFor({ newestFirst, withoutValues = false }: VersionRange): Statement {
  if (withoutValues) return newestFirst ? BARE_NEWEST_FIRST : BARE_OLDEST_FIRST;
  return newestFirst ? NEWEST_FIRST : OLDEST_FIRST;
}

/** Reads the history from the `change` table. */
export class PostgresAspectHistory implements AspectHistory {
  constructor(private readonly database: Database) {}

  async listVersions(range: VersionRange): Promise<VersionPage | undefined> {
    const { urn, aspectName, from, to, limit, withoutValues = false } = range;
    const [bounds] = await this.select<Bounds>(VERSION_BOUNDS, [urn, aspectName]);
    const { oldest = null, newest = null, truncated = null } = bounds ?? {};
    if (oldest === null || newest === null) return undefined;
    const bounded = [urn, aspectName, from, to, limit + 1];
    const rows = await this.select<VersionRow>(
      rangeStatementFor(range),
      withoutValues ? bounded : [...bounded, MAX_PAGE_BYTES],
    );
    const page = toPage(rows, limit);
    return {
      versions: page.map(toPastVersion),
      hasMore: rows.length > page.length,
      oldest,
      newest,
      truncatedUpTo: truncated ?? 0,
    };
  }

  async entityAt({ urn, timeMs, aspectNames }: PastTime): Promise<PastEntity> {
    const rows = await this.select<AspectAtRow>(ENTITY_AT, [
      urn,
      aspectNames ?? null,
      Number.MAX_SAFE_INTEGER,
      timeMs,
    ]);
    const aspects = rows.flatMap((row) => {
      if (!isVersion(row)) return [];
      const version = toPastVersion(row);
      return version.value === undefined ? [] : [{ ...version, value: version.value }];
    });
    return { aspects, lost: rows.filter(isLost).map(({ aspect }) => aspect) };
  }

  async aspectsAt(refs: readonly AspectRef[], timeMs: number): Promise<PastAspects> {
    const rows = await this.select<RefAtRow>(ASPECTS_AT, [
      refs.map(({ urn }) => urn),
      refs.map(({ aspectName }) => aspectName),
      timeMs,
      MAX_PAGE_BYTES,
    ]);
    const firstLeftOut = rows.find((row) => row.left_out === true)?.n ?? refs.length + 1;
    const read = rows.flatMap((row) => {
      const ref = refs[row.n - 1];
      return ref === undefined || row.n >= firstLeftOut
        ? []
        : [{ ref, row: { ...row, aspect: ref.aspectName } }];
    });
    const aspects = read.flatMap(({ ref: { urn }, row }) => {
      const version = isVersion(row) ? toPastVersion(row) : undefined;
      return version?.value === undefined ? [] : [{ ...version, urn, value: version.value }];
    });
    const lost = read.flatMap(({ ref, row }) => (isLost(row) ? [ref] : []));
    return { aspects, lost, rest: refs.slice(firstLeftOut - 1) };
  }

  async positionAt(timeMs: number): Promise<PastPosition> {
    const rows = await this.select<{ partition: number; seq: number; first_ms: number | null }>(POSITION_AT, [
      timeMs,
    ]);
    const firsts = rows.flatMap(({ first_ms }) => first_ms ?? []);
    return {
      position: new Map(rows.flatMap(({ partition, seq }) => (seq > 0 ? [[partition, seq]] : []))),
      ...(firsts.length === 0 ? {} : { firstChangeMs: Math.min(...firsts) }),
    };
  }

  listChangedAspects({
    after,
    upTo,
    aspectNames,
    limit,
  }: ChangedAspectsQuery): Promise<readonly AspectRef[]> {
    const ranges = [...upTo].map(([partition, seq]) => ({
      partition,
      after: after.get(partition) ?? 0,
      up_to: seq,
    }));
    return this.search<AspectRef>(CHANGED_ASPECTS, [JSON.stringify(ranges), aspectNames, limit]);
  }

  filterUnwritten(refs: readonly AspectRef[], timeMs: number): Promise<readonly AspectRef[]> {
    return this.select<AspectRef>(UNWRITTEN, [
      refs.map(({ urn }) => urn),
      refs.map(({ aspectName }) => aspectName),
      timeMs,
    ]);
  }

  async listChanges(window: ChangeWindow): Promise<ChangePage> {
    const { urn, aspectNames, beforeSeq, sinceMs, untilMs, limit } = window;
    const rows = await this.select<ChangeRow>(CHANGES, [
      urn,
      aspectNames ?? null,
      beforeSeq ?? Number.MAX_SAFE_INTEGER,
      untilMs ?? Number.MAX_SAFE_INTEGER,
      sinceMs ?? 0,
      limit + 1,
      MAX_PAGE_BYTES,
    ]);
    const page = toPage(rows, limit);
    return { changes: page.map(toChange), hasMore: rows.length > page.length };
  }

  listCatalogChanges(window: CatalogChangeWindow): Promise<CatalogChangePage> {
    return this.database.read((client) => readCatalogChanges(client, window));
  }

  readChangesAfter(after: PartitionSequences, limit: number): Promise<readonly FollowedChange[]> {
    return this.database.read((client) => readFollowedChanges(client, after, limit));
  }

  async countChangesByDay(window: CountedWindow): Promise<readonly ChangesOfDay[] | undefined> {
    const { urn, aspectNames, sinceMs, untilMs, timeZone, limit } = window;
    const versionsAt = (timeMs: number) =>
      this.select<{ aspect: string; version: number }>(VERSIONS_AT, [
        urn,
        aspectNames ?? null,
        Number.MAX_SAFE_INTEGER,
        timeMs,
      ]);
    const [highs, lows] = [await versionsAt(untilMs), await versionsAt(sinceMs - 1)];
    const lowOf = new Map(lows.map(({ aspect, version }) => [aspect, version]));
    const rows = await this.select<{ start_ms: number; count: number }>(CHANGES_BY_DAY, [
      urn,
      highs.map(({ aspect }) => aspect),
      highs.map(({ aspect }) => lowOf.get(aspect) ?? 0),
      highs.map(({ version }) => version),
      timeZone,
      limit + 1,
    ]);
    const total = rows.reduce((sum, { count }) => sum + count, 0);
    return total > limit ? undefined : rows.map(({ start_ms: startMs, count }) => ({ startMs, count }));
  }

  async countVersionsDeletedBy({ urn, aspectName, mark }: DeletionRef): Promise<number> {
    const [row] = await this.select<{ versions: number }>(COUNT_VERSIONS_DELETED_BY, [urn, aspectName, mark]);
    return row?.versions ?? 0;
  }

  async countTimeseriesDeletedBy({ urn, aspectName, mark }: DeletionRef): Promise<number> {
    const [row] = await this.select<{ count: string }>(COUNT_TIMESERIES_DELETED_BY, [urn, aspectName, mark]);
    return Number(row?.count ?? 0);
  }

  private select<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return this.database.read(async (client) => (await client.query<Row>({ ...statement, values })).rows);
  }

  private search<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return this.database.search(async (client) => (await client.query<Row>({ ...statement, values })).rows);
  }
}

function toPage<Row extends VersionRow>(rows: readonly Row[], limit: number): readonly Row[] {
  return rows.slice(0, limit).filter((row) => !row.left_out);
}

function isVersion(row: AspectAtRow): row is AspectAtRow & VersionRow {
  return row.kind !== null && row.kind !== undefined;
}

/** True when older versions existed before the stored ones, or when the version's value was purged. */
function isLost(row: AspectAtRow): boolean {
  return isVersion(row) ? row.kind === 'upsert' && row.value === null : row.oldest > 1;
}

function toPastVersion(row: Omit<VersionRow, 'left_out'>): PastVersion {
  return {
    aspectName: row.aspect,
    version: row.version,
    seq: row.seq,
    kind: row.kind,
    ...(row.value === null ? {} : { value: row.value }),
    created: { time: row.created_ms, actor: row.actor },
    systemMetadata: parseJson(row.system_metadata) as SystemMetadata,
  };
}

function toChange(row: ChangeRow): PastChange {
  const { previous_kind: kind, previous_value: value } = row;
  if (kind === null) return toPastVersion(row);
  return { ...toPastVersion(row), previous: { kind, ...(value === null ? {} : { value }) } };
}
