import { InvalidRequestError } from '@stratalog/domain';
import { parseJson, stringifyJson, type JsonOutputObject, type Steps } from '@stratalog/json';
import { inSlices } from '@stratalog/concurrency';
import type { TimeseriesFilter, TimeseriesGroup, TimeseriesStatistics } from '@stratalog/ports';
import type { EntityRegistry, EntityType } from '@stratalog/registry';
import { MAX_GROUPS } from './max-groups';
import type { RequestedTable } from './parse-statistics';
import { requireStoredTimeZone } from './require-time-zone';

export interface StatisticsDeps {
  readonly registry: EntityRegistry;
  readonly statistics: TimeseriesStatistics;
}

export interface StatisticsRequest {
  readonly entityType: EntityType;
  readonly aspectName: string;
  readonly table: RequestedTable;
  readonly filter: TimeseriesFilter | undefined;
}

/** The text of a column without a value. */
const NO_VALUE = 'NULL';
const FRACTIONS: ReadonlySet<string> = new Set(['float', 'double']);

/**
 * Computes a table of statistics over the timeseries values of one aspect.
 *
 * **Shape**: `GenericTable` of `models/answers/timeseries`; every value is a text. A sum or count of nothing is `0`, a
 * newest value of nothing `NULL`.
 *
 * **Errors**: `InvalidRequestError` for more than {@link MAX_GROUPS} rows, too long texts, and a time zone that the store does not know.
 *
 * **Source**: `docs/wire-decisions.md`, Reading; `docs/what/timeseries-value.md`.
 */
export async function computeStatistics(
  { registry, statistics }: StatisticsDeps,
  { entityType, aspectName, table, filter }: StatisticsRequest,
): Promise<StatisticsTable> {
  const { groups, metrics, top } = table;
  for (const [at, group] of groups.entries()) {
    if (group.kind !== 'time') continue;
    const path = `/buckets/${String(at)}/timeZone`;
    await requireStoredTimeZone(statistics, { timeZone: group.timeZone, path });
  }
  const result = await statistics.aggregate({
    urnPrefix: `urn:${registry.urnNamespace}:${entityType.name}:`,
    aspectName,
    filter,
    metrics,
    groups,
    top,
    limit: MAX_GROUPS,
  });
  if (result.isCut) throw tooManyGroups();
  const columns = [...groups, ...metrics];
  return {
    columnNames: columns.map(({ name }) => name),
    columnTypes: columns.map(({ columnType }) => columnType),
    rows: await inSlices(formatRows(result.groups, table)),
  };
}

/** The texts of an answer may have megabytes. */
function* formatRows(
  found: readonly TimeseriesGroup[],
  { groups, metrics }: RequestedTable,
): Steps<StatisticsTable['rows']> {
  const rows: (readonly string[])[] = [];
  for (const { keys, values } of found) {
    rows.push([
      ...keys.map((key, at) => formatText(key, groups[at])),
      ...values.map((value, at) => formatMetric(value, metrics[at])),
    ]);
    yield;
  }
  return rows;
}

export interface StatisticsTable extends JsonOutputObject {
  readonly columnNames: readonly string[];
  readonly columnTypes: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function formatMetric(
  value: string | undefined,
  metric: RequestedTable['metrics'][number] | undefined,
): string {
  if (value === undefined) return metric?.aggregation === 'latest' ? NO_VALUE : '0';
  return metric?.aggregation === 'cardinality' ? value : formatText(value, metric);
}

/** Formats numbers with fractions and JSON as everywhere else. */
function formatText(text: string, column: RequestedTable['groups' | 'metrics'][number] | undefined): string {
  if (column === undefined) return text;
  if (FRACTIONS.has(column.type)) return stringifyJson(Number(text));
  return 'field' in column && column.field.kind === 'json' ? stringifyJson(parseJson(text)) : text;
}

function tooManyGroups(): InvalidRequestError {
  return new InvalidRequestError(
    `The table would have more than ${String(MAX_GROUPS)} rows, or be too large; use longer periods, \`size\` or a filter`,
  );
}
