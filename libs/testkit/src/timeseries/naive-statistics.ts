import type { TimeseriesField } from '@stratalog/domain';
import { stringifyJson, type JsonValue } from '@stratalog/json';
import type {
  TimePeriods,
  TimeseriesGroup,
  TimeseriesMetric,
  TimeseriesStatisticsQuery,
  ValueGroups,
} from '@stratalog/ports';
import {
  compareTexts,
  passesFilter,
  readField,
  toElements,
  toPlainText,
  type ParsedTimeseriesValue,
} from './naive-filter';
import { WallClock, computePeriodStart } from './naive-periods';

/** A value, or one of its elements. */
interface Row {
  readonly value: ParsedTimeseriesValue;
  /** The list of the element. */
  readonly list?: string;
  readonly element?: JsonValue;
}

type Key = number | string;

/** Computes statistics the plain way: from all values, one after the other. */
export function computeNaively(
  query: TimeseriesStatisticsQuery,
  values: readonly ParsedTimeseriesValue[],
): readonly TimeseriesGroup[] {
  const { groups, metrics } = query;
  const byKeys = new Map<string, { readonly keys: readonly Key[]; readonly rows: Row[] }>();
  if (groups.length === 0) byKeys.set('[]', { keys: [], rows: [] });
  const clocks = groups.map((group) => new WallClock(group.kind === 'time' ? group.timeZone : 'UTC'));
  for (const row of toRows(query, values)) {
    const keys = groups.map((group, at) => readKey(group, row, clocks[at] ?? new WallClock('UTC')));
    if (keys.some((key) => key === undefined)) continue;
    const id = JSON.stringify(keys);
    const group = byKeys.get(id) ?? { keys: keys as readonly Key[], rows: [] };
    byKeys.set(id, group);
    group.rows.push(row);
  }
  const computed = [...byKeys.values()].map(({ keys, rows }) => ({
    keys,
    values: metrics.map((metric) => computeMetric(metric, rows, groups)),
  }));
  return order(query, computed).map(({ keys, values: texts }) => ({ keys: keys.map(String), values: texts }));
}

function toRows(
  { filter, groups, metrics }: TimeseriesStatisticsQuery,
  values: readonly ParsedTimeseriesValue[],
): readonly Row[] {
  const keys = groups.flatMap((group) => (group.kind === 'value' ? [group.field] : []));
  const lists = new Set(
    [...keys, ...metrics.map(({ field }) => field)].flatMap(({ source, path }) =>
      source === 'element' ? [path[0] ?? ''] : [],
    ),
  );
  return values
    .filter((value) => passesFilter(filter, value))
    .flatMap((value) => [
      ...(isByElement(keys) ? [] : [{ value }]),
      ...[...lists].flatMap((list) =>
        toElements(value.members[list]).map((element) => ({ value, list, element })),
      ),
    ]);
}

function isByElement(keys: readonly TimeseriesField[]): boolean {
  return keys.some(({ source }) => source === 'element');
}

function readKey(group: TimePeriods | ValueGroups, row: Row, clock: WallClock): Key | undefined {
  if (group.kind === 'time') return computePeriodStart(group, row.value.timestampMs, clock);
  const key = readField(group.field, row.value, row.element);
  if (key === undefined) return undefined;
  return typeof key === 'number' ? key : toText(key);
}

function computeMetric(
  { field, aggregation }: TimeseriesMetric,
  rows: readonly Row[],
  groups: TimeseriesStatisticsQuery['groups'],
): string | undefined {
  const byElement = isByElement(groups.flatMap((group) => (group.kind === 'value' ? [group.field] : [])));
  const list = field.source === 'element' ? field.path[0] : undefined;
  const own = rows
    .filter((row) => byElement || row.list === list)
    .flatMap((row) => {
      const value = readField(field, row.value, row.element);
      return value === undefined ? [] : [{ row, value }];
    });
  switch (aggregation) {
    case 'count':
      return String(own.length);
    case 'cardinality':
      return String(new Set(own.map(({ value }) => toPlainText(value))).size);
    case 'sum':
      return own.length === 0 ? undefined : String(own.reduce((sum, { value }) => sum + Number(value), 0));
    case 'latest': {
      const [latest] = own.toSorted(
        (a, b) =>
          b.row.value.timestampMs - a.row.value.timestampMs ||
          compareTexts(b.row.value.urn, a.row.value.urn) ||
          compareTexts(toText(b.value), toText(a.value)),
      );
      return latest === undefined ? undefined : toText(latest.value);
    }
    default:
      return aggregation satisfies never;
  }
}

/** The text of a value in a table; JSON as the server formats it, with a blank between elements. */
function toText(value: JsonValue): string {
  return Array.isArray(value)
    ? `[${value.map((each) => stringifyJson(toPlainText(each))).join(', ')}]`
    : toPlainText(value);
}

interface Computed {
  readonly keys: readonly Key[];
  readonly values: readonly (string | undefined)[];
}

function order(
  { groups, top }: TimeseriesStatisticsQuery,
  computed: readonly Computed[],
): readonly Computed[] {
  const last = groups.length - 1;
  const compareKeys = (a: Computed, b: Computed, until: number): number => {
    for (const [at, group] of groups.slice(0, until).entries()) {
      const compared = compareKey(a.keys[at] ?? '', b.keys[at] ?? '');
      if (compared !== 0) return group.isDescending === true ? -compared : compared;
    }
    return 0;
  };
  if (top === undefined) return computed.toSorted((a, b) => compareKeys(a, b, groups.length));
  const sign = top.isDescending ? -1 : 1;
  const readMetric = ({ values }: Computed): number | undefined =>
    values[0] === undefined ? undefined : Number(values[0]);
  const sorted = computed.toSorted((a, b) => {
    const parents = compareKeys(a, b, last);
    if (parents !== 0) return parents;
    const keys = compareKey(a.keys[last] ?? '', b.keys[last] ?? '');
    if (!top.byMetric) return sign * keys;
    const [x, y] = [readMetric(a), readMetric(b)];
    if (x === y) return keys;
    if (x === undefined || y === undefined) return x === undefined ? 1 : -1;
    return sign * (x - y);
  });
  const counts = new Map<string, number>();
  return sorted.filter(({ keys }) => {
    const parent = JSON.stringify(keys.slice(0, -1));
    const count = (counts.get(parent) ?? 0) + 1;
    counts.set(parent, count);
    return count <= top.size;
  });
}

function compareKey(a: Key, b: Key): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : compareTexts(String(a), String(b));
}
