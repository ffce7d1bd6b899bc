import type { TimeseriesField } from '@stratalog/model';
import type { TimeseriesMetric, TimeseriesStatisticsQuery, ValueGroups } from '@stratalog/ports';
import { StatementParameters } from '../database/statement-parameters';
import { toPeriodStart } from './time-periods';
import { joinMembers, listFields, toExpressions, toFilterCondition, toList } from './timeseries-condition';

/** No character in UTF-8 sorts after this one. */
const AFTER_ANY = '\u{10ffff}';
/** Digits of the latest time, so that texts of times sort as times. */
const TIME_DIGITS = 15;

export interface StatisticsStatement {
  readonly text: string;
  readonly values: unknown[];
}

/**
 * Writes the statement of statistics: columns `k0`, `k1` … for the groups and `m0`, `m1` … for the metrics, as texts, and
 * `bytes`, the size of all texts. Texts are null when that exceeds `maxBytes`.
 *
 * A value with lists is one row, and one row more for each of their elements: `e.part` says which.
 */
export function writeStatistics(query: TimeseriesStatisticsQuery, maxBytes: number): StatisticsStatement {
  const { urnPrefix, aspectName, metrics, groups, limit } = query;
  const parameters = new StatementParameters([urnPrefix, urnPrefix + AFTER_ANY, aspectName]);
  const names = [...groups.map((_, at) => `k${String(at)}`), ...metrics.map((_, at) => `m${String(at)}`)];
  const grouped = writeGroups(query, parameters);
  const order = toOrder(query);
  const bytes = names.map((name) => `coalesce(octet_length(${name}::text), 0)`).join(' + ');
  const largest = parameters.add(maxBytes);
  const text = `
    select ${names.map((name) => `case when bytes <= ${largest}::bigint then ${name} end as ${name}`).join(', ')}, bytes
      from (select ${names.map((name) => `${name}::text`).join(', ')}, sum(${bytes}) over () as bytes, place
              from (select g.*, row_number() over (${order}) as place from (${grouped}) g ${order} limit ${parameters.add(limit)}) g) s
     order by place`;
  return { text, values: parameters.values };
}

/** Writes one row for each group, with keys and metrics in their own types. */
function writeGroups(query: TimeseriesStatisticsQuery, parameters: StatementParameters): string {
  const { filter, metrics, groups, top } = query;
  const keyFields = groups.flatMap((group) => (group.kind === 'value' ? [group.field] : []));
  const fields = [...keyFields, ...metrics.map(({ field }) => field)];
  const lists = collectLists(fields);
  const isByElement = keyFields.some(({ source }) => source === 'element');
  const keys = groups.map((group) => (group.kind === 'time' ? toPeriodStart(group) : toKey(group)));
  const values = metrics.map((metric) => toMetric(metric, lists, isByElement));
  const columns = [
    ...keys.map((key, at) => `${key} as k${String(at)}`),
    ...values.map((value, at) => `${value} as m${String(at)}`),
  ];
  const members = joinMembers([...listFields(filter), ...fields]);
  const conditions = [
    'p.urn >= $1 and p.urn < $2 and p.aspect = $3',
    toFilterCondition(filter, parameters),
    ...keyFields.map((field) => `${toExpressions(field, 'e.v').text} is not null`),
  ];
  const grouped = `select ${columns.join(', ')}
    from timeseries_value p ${members} ${toElements(lists, isByElement)}
   where ${conditions.join(' and ')}
   ${keys.length === 0 ? '' : `group by ${keys.map((_, at) => String(at + 1)).join(', ')}`}`;
  if (top === undefined) return grouped;
  const parents = keys.slice(0, -1).map((_, at) => `k${String(at)}`);
  const within = parents.length === 0 ? '' : `partition by ${parents.join(', ')}`;
  return `select * from (select g.*, row_number() over (${within} order by ${toTopOrder(query)}) as rank from (${grouped}) g) r
           where rank <= ${parameters.add(top.size)}`;
}

function toTopOrder({ metrics, groups, top }: TimeseriesStatisticsQuery): string {
  const key = `k${String(groups.length - 1)}`;
  const direction = top?.isDescending === true ? 'desc' : 'asc';
  if (top?.byMetric !== true) return `${key} ${direction}`;
  // The newest value of a field is a text in every case.
  const isText = metrics[0]?.aggregation === 'latest';
  return `m0${isText ? '::numeric' : ''} ${direction} nulls last, ${key}`;
}

function toOrder({ groups, top }: TimeseriesStatisticsQuery): string {
  if (groups.length === 0) return '';
  const orders = groups.map((group, at) => `k${String(at)} ${group.isDescending === true ? 'desc' : 'asc'}`);
  return `order by ${[...(top === undefined ? orders : [...orders.slice(0, -1), 'rank'])].join(', ')}`;
}

/** The lists whose elements are read, by name. */
function collectLists(fields: readonly TimeseriesField[]): ReadonlyMap<string, TimeseriesField> {
  const lists = new Map<string, TimeseriesField>();
  for (const field of fields) {
    const [name = ''] = field.path;
    if (field.source === 'element') lists.set(name, { ...field, path: [name] });
  }
  return lists;
}

function toElements(lists: ReadonlyMap<string, TimeseriesField>, isByElement: boolean): string {
  const parts = [...lists.values()].map(
    (list, at) => `select ${String(at + 1)} as part, x.v from jsonb_array_elements(${toList(list)}) as x(v)`,
  );
  if (parts.length === 0) return '';
  const whole = isByElement ? [] : ['select 0 as part, null::jsonb as v'];
  return `cross join lateral (${[...whole, ...parts].join(' union all ')}) e`;
}

/** Numbers sort as numbers, texts by code point. */
function toKey({ field }: ValueGroups): string {
  const { text, number } = toExpressions(field, 'e.v');
  return field.kind === 'number' ? `trim_scale(${number})` : `${text} collate "C"`;
}

function toMetric(
  { field, aggregation }: TimeseriesMetric,
  lists: ReadonlyMap<string, TimeseriesField>,
  isByElement: boolean,
): string {
  const { text, number } = toExpressions(field, 'e.v');
  const part = field.source === 'element' ? [...lists.keys()].indexOf(field.path[0] ?? '') + 1 : 0;
  const isCounted = isByElement || lists.size === 0 ? 'true' : `e.part = ${String(part)}`;
  switch (aggregation) {
    case 'latest': {
      const value = field.kind === 'number' ? `trim_scale(${number})::text` : text;
      const candidate = `array[lpad(p.timestamp_ms::text, ${String(TIME_DIGITS)}, '0'), p.urn, ${value}] collate "C"`;
      return `(max(${candidate}) filter (where ${isCounted} and ${text} is not null))[3]`;
    }
    case 'sum':
      return `trim_scale(sum(${number}) filter (where ${isCounted}))`;
    case 'count':
      return `count(${text}) filter (where ${isCounted})`;
    case 'cardinality':
      return `count(distinct ${field.kind === 'number' ? number : text}) filter (where ${isCounted})`;
    default:
      return aggregation satisfies never;
  }
}
