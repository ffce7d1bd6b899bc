import type { TimeseriesField } from '@stratalog/domain';
import type { TimeseriesMetric, TimeseriesStatisticsQuery, ValueGroups } from '@stratalog/ports';
import { StatementParameters } from '../database/statement-parameters';
import { toPeriodStart } from './time-periods';
import {
  isColumn,
  keepColumnCriteria,
  listFields,
  toExpressions,
  toFilterCondition,
  toList,
  toRead,
  writeRows,
  type FieldExpressions,
} from './timeseries-condition';

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
  const elements = new Elements(fields);
  const isByElement = keyFields.some(({ source }) => source === 'element');
  const keys = groups.map((group) => (group.kind === 'time' ? toPeriodStart(group) : toKey(group, elements)));
  const values = metrics.map((metric) => toMetric(metric, elements, isByElement));
  const columns = [
    ...keys.map((key, at) => `${key} as k${String(at)}`),
    ...values.map((value, at) => `${value} as m${String(at)}`),
  ];
  const byColumns = toFilterCondition(keepColumnCriteria(filter), parameters);
  const conditions = [
    ...(listFields(filter).every(isColumn) ? [] : [toFilterCondition(filter, parameters)]),
    ...keyFields.map((field) => `${elements.toExpressions(field).text} is not null`),
  ];
  const grouped = `select ${columns.join(', ')}
    from ${writeRows([...listFields(filter), ...fields], `p.urn >= $1 and p.urn < $2 and p.aspect = $3 and ${byColumns}`)}
         ${elements.toJoin(isByElement)}
   where ${conditions.join(' and ') || 'true'}
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

/** The elements of lists that a statement reads: rows `e` with their list in `part`, and each field of them once, in `f0`, `f1` … */
class Elements {
  /** Names of the lists; `part` counts them from 1. */
  private readonly lists: readonly string[];
  /** Expressions that read a field of an element `x.v`; their places name the columns. */
  private readonly reads: readonly string[];

  constructor(fields: readonly TimeseriesField[]) {
    const own = fields.filter(({ source }) => source === 'element');
    this.lists = [...new Set(own.map(({ path: [name = ''] }) => name))];
    this.reads = [...new Set(own.map(toReadElement))];
  }

  toExpressions(field: TimeseriesField): FieldExpressions {
    return toExpressions(field, `e.f${String(this.reads.indexOf(toReadElement(field)))}`);
  }

  /** Writes the condition that a row counts for a metric of a field. */
  toCounted({ source, path: [name = ''] }: TimeseriesField): string {
    if (this.lists.length === 0) return 'true';
    return `e.part = ${String(source === 'element' ? this.lists.indexOf(name) + 1 : 0)}`;
  }

  /** Writes the join of the elements to their value. The offset keeps the server from reading a field once for each mention. */
  toJoin(isByElement: boolean): string {
    if (this.lists.length === 0) return '';
    const parts = this.lists.map(
      (name, at) =>
        `select ${String(at + 1)} as part, l.v from json_array_elements(${toList({ path: [name] })}) as l(v)`,
    );
    const whole = isByElement ? [] : ['select 0 as part, null::json as v'];
    const columns = this.reads.map((read, at) => `${read} as f${String(at)}`);
    return `cross join lateral (select x.part, ${columns.join(', ')}
                                  from (${[...whole, ...parts].join(' union all ')}) as x offset 0) as e`;
  }
}

function toReadElement(field: TimeseriesField): string {
  return toRead('x.v', field.path.slice(1), field);
}

/** Numbers sort as numbers, texts by code point. */
function toKey({ field }: ValueGroups, elements: Elements): string {
  const { text, number } = elements.toExpressions(field);
  return field.kind === 'number' ? `trim_scale(${number})` : `${text} collate "C"`;
}

function toMetric(
  { field, aggregation }: TimeseriesMetric,
  elements: Elements,
  isByElement: boolean,
): string {
  const { text, number } = elements.toExpressions(field);
  const isCounted = isByElement ? 'true' : elements.toCounted(field);
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
