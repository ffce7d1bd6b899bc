import type { TimeseriesQuery } from '@stratalog/ports';
import type { Statement } from '../database/database';
import { StatementParameters } from '../database/statement-parameters';
import { joinMembers, listFields, toFilterCondition, toOrderExpression } from './timeseries-condition';

/**
 * Reads the digests of the values that a batch may replace; a digest suffices to compare a value with the stored one.
 */
export const COMPARE_TIMESERIES: Statement = {
  name: 'compare-timeseries',
  text: `select r.n::integer, p.seq, p.digest
           from unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) with ordinality r(urn, aspect, timestamp_ms, value_key, n)
          cross join lateral (select seq, encode(sha256(convert_to(value, 'UTF8')), 'hex') as digest from timeseries_value
                               where urn = r.urn and aspect = r.aspect and timestamp_ms = r.timestamp_ms
                                 and value_key = r.value_key limit 1) p`,
};

/** Selects the ranges that hold values. */
export const FIND_TIMESERIES: Statement = {
  name: 'find-timeseries',
  text: `select r.n::integer
           from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) with ordinality r(urn, aspect, start_ms, end_ms, n)
          cross join lateral (select from timeseries_value
                               where urn = r.urn and (r.aspect is null or aspect = r.aspect)
                                 and timestamp_ms between r.start_ms and r.end_ms limit 1) p`,
};

/** Lists the aspects with timeseries values of an entity, with one index probe per aspect. */
export const ASPECTS_WITH_TIMESERIES_VALUES: Statement = {
  name: 'aspects-with-timeseries',
  text: `with recursive names(aspect) as (
           (select aspect from timeseries_value where urn = $1 order by aspect limit 1)
           union all
           select (select p.aspect from timeseries_value p where p.urn = $1 and p.aspect > n.aspect order by p.aspect limit 1)
             from names n where n.aspect is not null
         )
         select aspect from names where aspect is not null`,
};

/** Reads the timestamp of the value after the first $5 values of the range; no row when the range holds no more. */
export const END_OF_SLICE: Statement = {
  name: 'end-of-timeseries-slice',
  text: `select timestamp_ms from timeseries_value
          where urn = $1 and aspect = $2 and timestamp_ms between $3::bigint and $4::bigint
          order by timestamp_ms offset $5 limit 1`,
};

export const DELETE_TIMESERIES: Statement = {
  name: 'remove-timeseries',
  text: `delete from timeseries_value where urn = $1 and aspect = $2 and timestamp_ms between $3::bigint and $4::bigint`,
};

export const NOTE_DELETION: Statement = {
  name: 'note-timeseries-deletion',
  text: 'insert into timeseries_deletion (partition, seq, start_ms, end_ms, value_count) values ($1, $2, $3, $4, $5)',
};

export const COUNT_TIMESERIES: Statement = {
  name: 'count-timeseries',
  text: `select count(*) as count from timeseries_value
          where urn = $1 and ($2::text is null or aspect = $2) and timestamp_ms between $3::bigint and $4::bigint`,
};

/** The entity rows exist: a batch that writes the first timeseries value of an entity writes its key aspect before. */
export const WRITE_TIMESERIES: Statement = {
  name: 'write-timeseries',
  text: `with input as materialized (
           select * from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::text[])
             i(urn, aspect, timestamp_ms, value_key, seq, value, system_metadata, run_id)
         ), written as (
           insert into timeseries_value (urn, aspect, timestamp_ms, value_key, seq, value, system_metadata, run_id) select * from input
           on conflict (urn, aspect, timestamp_ms, value_key) do update set
             seq = excluded.seq, value = excluded.value, system_metadata = excluded.system_metadata, run_id = excluded.run_id
         )
         update entity e set timeseries_seq = m.seq
           from (select urn, max(seq) as seq from input group by urn) m where e.urn = m.urn`,
};

/**
 * Reads a page after a position, of the values that satisfy `condition`. Sizes are summed in page order, so that the
 * size limit cuts off the tail; the first row behind the limit comes without its value.
 */
function toPage(direction: 'asc' | 'desc', { from = '', condition = 'true', sort }: PageParts = {}): string {
  const behind = direction === 'asc' ? '>' : '<';
  const first = sort === undefined ? '' : `sorted_by ${sort.direction} nulls last, `;
  const order = `${first}timestamp_ms ${direction}, value_key ${direction}`;
  const sortedBy = sort === undefined ? '' : `, ${sort.by} as sorted_by`;
  return `select timestamp_ms, value_key, seq, case when bytes_before = 0 or bytes_before + octet_length(value) <= $8::bigint then value end as value,
                 system_metadata
            from (select p.*, sum(octet_length(value)) over (order by ${order} rows unbounded preceding) - octet_length(value) as bytes_before
                    from (select p.timestamp_ms, p.value_key, p.seq, p.value, p.system_metadata${sortedBy} from timeseries_value p ${from}
                           where p.urn = $1 and p.aspect = $2 and p.timestamp_ms between $3::bigint and $4::bigint
                             and (p.timestamp_ms, p.value_key) ${behind} ($5::bigint, $6::text) and ${condition}
                           order by ${order} limit $7) p) sized
           where bytes_before <= $8::bigint
           order by ${order}`;
}

/** The parts of a page's statement that depend on the request. */
interface PageParts {
  readonly from?: string;
  readonly condition?: string;
  /** Expression of a row `p` that orders before the time does. */
  readonly sort?: { readonly by: string; readonly direction: 'asc' | 'desc' };
}

/**
 * Reads the latest values of pairs of urn and aspect, with one index probe per month. Only entities that have had values are
 * probed. An entity whose predecessors in the order of urns fill the page comes without values.
 */
export const LATEST_VALUES: Statement = {
  name: 'latest-timeseries-values',
  text: `with found as materialized (
           select e.urn, a.aspect, v.timestamp_ms, v.seq, v.value,
                  sum(octet_length(v.value)) over (order by e.urn) - sum(octet_length(v.value)) over (partition by e.urn) >= $3::bigint as left_out
             from (select urn, array_agg(aspect) as aspects from unnest($1::text[], $2::text[]) p(urn, aspect) group by urn) r
            cross join lateral (select urn from entity where urn = r.urn and timeseries_seq > 0 limit 1) e
            cross join unnest(r.aspects) a(aspect)
            cross join lateral (select timestamp_ms, seq, value from timeseries_value where urn = e.urn and aspect = a.aspect
                                 order by timestamp_ms desc, value_key desc limit 1) v
         )
         select urn, aspect, timestamp_ms, seq, case when not left_out then value end as value from found order by urn, aspect`,
};

export const LATEST_TIMESERIES: Statement = { name: 'latest-timeseries', text: toPage('desc') };
export const EARLIEST_TIMESERIES: Statement = { name: 'earliest-timeseries', text: toPage('asc') };

/** Writes the statement of a page for one filter and order; the server plans it each time. `values` are those of every page. */
export function writePage(
  { filter, sort, latestFirst }: Pick<TimeseriesQuery, 'filter' | 'sort' | 'latestFirst'>,
  values: readonly unknown[],
): { readonly text: string; readonly values: unknown[] } {
  const parameters = new StatementParameters(values);
  const parts = {
    condition: toFilterCondition(filter, parameters),
    from: joinMembers([...listFields(filter), ...(sort === undefined ? [] : [sort.field])]),
  };
  const by = sort && {
    by: toOrderExpression(sort.field),
    direction: sort.isDescending ? ('desc' as const) : ('asc' as const),
  };
  const text = toPage(latestFirst ? 'desc' : 'asc', by === undefined ? parts : { ...parts, sort: by });
  return { text, values: parameters.values };
}
