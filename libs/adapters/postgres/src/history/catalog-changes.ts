import type { SystemMetadata } from '@stratalog/domain';
import { parseJson } from '@stratalog/json';
import type { CatalogChange, CatalogChangePage, CatalogChangeWindow, ChangePlace } from '@stratalog/ports';
import type { PoolClient } from 'pg';
import type { Statement } from '../database/database';
import { OWN } from './history-statements';

/** Rows of all partitions that one page may read. Most of them may be timeseries values, which are no versions. */
const MAX_SCANNED = 20_000;

/**
 * Reads the newest changes of each partition from a place ($1 time, $2 partition, $3 seq) on, among a number of rows of all partitions ($4), of entity types
 * ($5) and of an actor ($6), since a time ($7), at most $8. A row without a kind is the first one that was not read.
 *
 * Times rise with `seq`, so the statement bisects for the place.
 */
const CATALOG_CHANGES: Statement = {
  name: 'catalog-changes',
  text: `with recursive halving(partition, low, high) as (
      select partition, 0::bigint, seq from store_partition where seq > 0
      union all
      select h.partition,
             case when (m.created_ms, h.partition, m.seq) <= ($1::bigint, $2::integer, $3::bigint) then m.seq else h.low end,
             case when (m.created_ms, h.partition, m.seq) <= ($1::bigint, $2::integer, $3::bigint) then h.high
                  else h.low + (h.high - h.low + 1) / 2 - 1 end
        from halving h
        left join lateral (select seq, created_ms from change
                            where partition = h.partition and seq between h.low + (h.high - h.low + 1) / 2 and h.high
                            order by seq limit 1) m on true
       where h.low < h.high
    ), start as materialized (
      select partition, low as seq, low - greatest($8::bigint, $4::bigint / (select count(*) from store_partition)) as floor
        from halving where low = high and low > 0
    )
    select s.partition, c.seq, c.created_ms, c.urn, c.aspect, c.version, c.actor, c.kind, c.system_metadata, p.kind as previous_kind
      from start s
     cross join lateral (select * from change
                          where partition = s.partition and seq <= s.seq and seq > s.floor and kind in ('upsert', 'delete')
                            and ($5::text[] is null or split_part(urn, ':', 3) = any($5::text[]))
                            and ($6::text is null or actor = $6::text) and created_ms >= $7::bigint
                          order by seq desc limit $8) c
      left join lateral (select kind from change
                          where urn = c.urn and aspect = c.aspect and version < c.version and ${OWN}
                          order by version desc limit 1) p on true
    union all
    select s.partition, r.seq, r.created_ms, null, null, null, null, null, null, null
      from start s
     cross join lateral (select seq, created_ms from change where partition = s.partition and seq <= s.floor
                          order by seq desc limit 1) r
     where r.created_ms >= $7::bigint`,
};

interface PlaceRow {
  readonly partition: number;
  readonly seq: number;
  readonly created_ms: number;
}

interface ChangeRow extends PlaceRow {
  readonly urn: string;
  readonly aspect: string;
  readonly version: number;
  readonly actor: string;
  readonly kind: CatalogChange['kind'];
  readonly previous_kind: CatalogChange['kind'] | null;
  readonly system_metadata: string;
}

type Row = ChangeRow | (PlaceRow & { readonly kind: null });

/** Reads one page, and merges what the partitions have by time, the newest first. */
export async function readCatalogChanges(
  client: PoolClient,
  window: CatalogChangeWindow,
): Promise<CatalogChangePage> {
  const { entityTypes, actor, sinceMs = 0, limit } = window;
  const from = startOf(window);
  const { rows } = await client.query<Row>({
    ...CATALOG_CHANGES,
    values: [
      from.timeMs,
      from.partition,
      from.seq,
      MAX_SCANNED,
      entityTypes ?? null,
      actor ?? null,
      sinceMs,
      limit + 1,
    ],
  });
  return toPage(rows, limit);
}

function startOf({ from, untilMs = Number.MAX_SAFE_INTEGER }: CatalogChangeWindow): ChangePlace {
  if (from !== undefined && from.timeMs <= untilMs) return from;
  return { timeMs: untilMs, partition: 2 ** 31 - 1, seq: Number.MAX_SAFE_INTEGER };
}

function toPage(rows: readonly Row[], limit: number): CatalogChangePage {
  const newestFirst = rows.toSorted(compareRows);
  const counts = new Map<number, number>();
  for (const { partition } of rows.filter(isChange)) counts.set(partition, (counts.get(partition) ?? 0) + 1);
  // A partition that has enough changes for the page may have more unread ones; they are all older than the page.
  const unread = newestFirst.find((row) => !isChange(row) && (counts.get(row.partition) ?? 0) <= limit);
  const known = unread === undefined ? newestFirst : newestFirst.slice(0, newestFirst.indexOf(unread));
  const changes = known.filter(isChange);
  const next = changes[limit] ?? unread;
  return {
    changes: changes.slice(0, limit).map(toChange),
    ...(next === undefined ? {} : { next: toPlace(next) }),
  };
}

function isChange(row: Row): row is ChangeRow {
  return row.kind !== null;
}

function compareRows(a: PlaceRow, b: PlaceRow): number {
  return b.created_ms - a.created_ms || b.partition - a.partition || b.seq - a.seq;
}

function toPlace({ created_ms: timeMs, partition, seq }: PlaceRow): ChangePlace {
  return { timeMs, partition, seq };
}

function toChange(row: ChangeRow): CatalogChange {
  const { urn, aspect: aspectName, version, seq, partition, kind, actor } = row;
  return {
    urn,
    aspectName,
    version,
    seq,
    partition,
    kind,
    ...(row.previous_kind === null ? {} : { previousKind: row.previous_kind }),
    created: { time: row.created_ms, actor },
    systemMetadata: parseJson(row.system_metadata) as SystemMetadata,
  };
}
