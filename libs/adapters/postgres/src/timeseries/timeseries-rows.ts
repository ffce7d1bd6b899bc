import { runOf, timeseriesValueId, type LatestValue } from '@stratalog/domain';
import { stringifyJson } from '@stratalog/json';
import type {
  AspectRef,
  LatestValuePage,
  NewTimeseriesValue,
  ReadTimeseriesValue,
  TimeseriesDeletion,
  TimeseriesPage,
  TimeseriesQuery,
  TimeseriesValueRef,
  TimeseriesRange,
  StoredTimeseriesValue,
  WriteSet,
} from '@stratalog/ports';
import type { PoolClient } from 'pg';
import { bigintArray, textArray } from '../database/binary-arrays';
import type { Database } from '../database/database';
import {
  ASPECTS_WITH_TIMESERIES_VALUES,
  COMPARE_TIMESERIES,
  COUNT_TIMESERIES,
  EARLIEST_TIMESERIES,
  END_OF_SLICE,
  FIND_TIMESERIES,
  LATEST_TIMESERIES,
  LATEST_VALUES,
  NOTE_DELETION,
  DELETE_TIMESERIES,
  WRITE_TIMESERIES,
  writePage,
} from './timeseries-statements';
import { hashSha256 } from '../database/hash-sha256';

/** Maximum bytes of values in a page; the next page returns the rest. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;
/** Maximum bytes of the only page of a sorted read: those of an answer. */
const MAX_SORTED_BYTES = 32 * 1024 * 1024;
/** Maximum number of deleted values per statement; so many take some hundred milliseconds. */
const TIMESERIES_VALUES_PER_STATEMENT = 20_000;
/** Sorts after any key; keys consist of letters, digits, `-` and `_`. */
const BEHIND_KEYS = '~';

/** The stored timeseries values that a batch may read. */
export interface ReadTimeseries {
  timeseriesValue(ref: TimeseriesValueRef): StoredTimeseriesValue | undefined;
  readonly nonEmptyRanges: readonly TimeseriesRange[];
}

/** Reads the values that a batch may replace or delete. Sends nothing for a batch without any. */
export async function compareTimeseries(
  client: PoolClient,
  timeseriesValues: readonly TimeseriesValueRef[],
  ranges: readonly TimeseriesRange[],
): Promise<ReadTimeseries> {
  const [compared, found] = await Promise.all([
    timeseriesValues.length === 0 ? { rows: [] } : compare(client, timeseriesValues),
    ranges.length === 0
      ? { rows: [] }
      : client.query<{ n: number }>({ ...FIND_TIMESERIES, values: rangeArrays(ranges) }),
  ]);
  const stored = new Map<string, ComparedRow>();
  for (const row of compared.rows) {
    const ref = timeseriesValues[row.n - 1];
    if (ref !== undefined) stored.set(timeseriesValueId(ref), row);
  }
  return {
    timeseriesValue: (ref) => {
      const row = stored.get(timeseriesValueId(ref));
      return row === undefined
        ? undefined
        : { seq: row.seq, isValue: (text) => hashSha256(text) === row.digest };
    },
    nonEmptyRanges: found.rows.flatMap(({ n }) => ranges[n - 1] ?? []),
  };
}

function compare(client: PoolClient, timeseriesValues: readonly TimeseriesValueRef[]) {
  return client.query<ComparedRow>({
    ...COMPARE_TIMESERIES,
    values: idArrays(timeseriesValues),
  });
}

/** Builds an array per column that identifies the values. */
function idArrays(timeseriesValues: readonly TimeseriesValueRef[]): readonly Buffer[] {
  return [
    textArray(timeseriesValues.map(({ urn }) => urn)),
    textArray(timeseriesValues.map(({ aspectName }) => aspectName)),
    bigintArray(timeseriesValues.map(({ timestampMs }) => timestampMs)),
    textArray(timeseriesValues.map(({ valueKey }) => valueKey)),
  ];
}

/**
 * Deletes timeseries values before others are written, so that a batch may delete and rewrite the same value.
 *
 * Each statement deletes a slice, so that none exceeds the statement timeout. The transaction takes as long as all
 * slices together.
 */
export async function deleteTimeseries(
  client: PoolClient,
  { timeseriesDeletions = [] }: WriteSet,
): Promise<void> {
  for (const deletion of timeseriesDeletions) {
    const { urn, aspectName, within, partition, seq, unstored } = deletion;
    const aspects = aspectName === undefined ? await aspectsWithTimeseriesValues(client, urn) : [aspectName];
    let removed = 0;
    for (const aspect of aspects) removed += await deleteRange(client, { ...deletion, aspectName: aspect });
    if (removed + unstored === 0) continue;
    const values = [partition, seq, within.startMs ?? null, within.endMs ?? null, removed + unstored];
    await client.query({ ...NOTE_DELETION, values });
  }
}

async function aspectsWithTimeseriesValues(client: PoolClient, urn: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ aspect: string }>({
    ...ASPECTS_WITH_TIMESERIES_VALUES,
    values: [urn],
  });
  return rows.map(({ aspect }) => aspect);
}

async function deleteRange(client: PoolClient, range: TimeseriesDeletion): Promise<number> {
  const [aspect, start, end] = toBounds(range);
  let removed = 0;
  for (let from = start; from <= end;) {
    const { rows } = await client.query<{ timestamp_ms: number }>({
      ...END_OF_SLICE,
      values: [range.urn, aspect, from, end, TIMESERIES_VALUES_PER_STATEMENT],
    });
    // Values of one timestamp are deleted together, however many they are.
    const to = rows[0] === undefined ? end : Math.max(from, rows[0].timestamp_ms - 1);
    const { rowCount } = await client.query({ ...DELETE_TIMESERIES, values: [range.urn, aspect, from, to] });
    removed += rowCount ?? 0;
    from = to + 1;
  }
  return removed;
}

export function writeTimeseries(client: PoolClient, { timeseriesValues = [] }: WriteSet): Promise<unknown>[] {
  return timeseriesValues.length === 0 ? [] : [insert(client, timeseriesValues)];
}

function insert(client: PoolClient, timeseriesValues: readonly NewTimeseriesValue[]): Promise<unknown> {
  return client.query({
    ...WRITE_TIMESERIES,
    values: [
      ...idArrays(timeseriesValues),
      bigintArray(timeseriesValues.map(({ seq }) => seq)),
      textArray(timeseriesValues.map(({ value }) => value)),
      textArray(timeseriesValues.map(({ systemMetadata }) => stringifyJson(systemMetadata))),
      textArray(timeseriesValues.map(({ systemMetadata }) => runOf(systemMetadata) ?? null)),
    ],
  });
}

export async function readTimeseriesPage(
  database: Database,
  query: TimeseriesQuery,
): Promise<TimeseriesPage> {
  const { urn, aspectName, within, filter, sort, latestFirst, after, limit } = query;
  const { startMs = Number.MIN_SAFE_INTEGER, endMs = Number.MAX_SAFE_INTEGER } = within;
  // The start of the page limits the time range too, so that the server skips the partitions before it.
  const [from, to] = latestFirst
    ? [startMs, Math.min(endMs, after?.timestampMs ?? endMs)]
    : [Math.max(startMs, after?.timestampMs ?? startMs), endMs];
  const place = after ?? { timestampMs: latestFirst ? to : from, valueKey: latestFirst ? BEHIND_KEYS : '' };
  const bytes = sort === undefined ? MAX_PAGE_BYTES : MAX_SORTED_BYTES;
  const values = [urn, aspectName, from, to, place.timestampMs, place.valueKey, limit + 1, bytes];
  const isPlain = filter === undefined && sort === undefined;
  const statement = isPlain
    ? { ...(latestFirst ? LATEST_TIMESERIES : EARLIEST_TIMESERIES), values }
    : writePage(query, values);
  const run = async (client: PoolClient) => (await client.query<TimeseriesValueRow>(statement)).rows;
  // A filter and an order may read any number of values for one page.
  const rows = await (isPlain ? database.read(run) : database.search(run));
  const timeseriesValues = rows.slice(0, limit).flatMap(toTimeseriesValue);
  return { timeseriesValues, hasMore: rows.length > timeseriesValues.length };
}

export async function readLatestValues(
  client: PoolClient,
  aspects: readonly AspectRef[],
): Promise<LatestValuePage> {
  const values = [
    textArray(aspects.map(({ urn }) => urn)),
    textArray(aspects.map(({ aspectName }) => aspectName)),
    MAX_PAGE_BYTES,
  ];
  const { rows } = await client.query<LatestValueRow>({ ...LATEST_VALUES, values });
  const found = new Map<string, LatestValue[]>();
  const rest = new Set<string>();
  for (const { urn, aspect, timestamp_ms, seq, value } of rows) {
    if (value === null) rest.add(urn);
    else
      found.set(urn, [
        ...(found.get(urn) ?? []),
        { aspectName: aspect, timestampMs: timestamp_ms, seq, value },
      ]);
  }
  return { values: found, rest: [...rest] };
}

export async function countTimeseries(database: Database, range: TimeseriesRange): Promise<number> {
  const [aspect, start, end] = toBounds(range);
  return database.search(async (client) => {
    const { rows } = await client.query<{ count: number }>({
      ...COUNT_TIMESERIES,
      values: [range.urn, aspect, start, end],
    });
    return rows[0]?.count ?? 0;
  });
}

function rangeArrays(ranges: readonly TimeseriesRange[]): unknown[] {
  const bounds = ranges.map(toBounds);
  return [
    textArray(ranges.map(({ urn }) => urn)),
    textArray(bounds.map(([aspect]) => aspect)),
    bigintArray(bounds.map(([, start]) => start)),
    bigintArray(bounds.map(([, , end]) => end)),
  ];
}

function toBounds({ aspectName, within }: TimeseriesRange): [string | null, number, number] {
  const { startMs = Number.MIN_SAFE_INTEGER, endMs = Number.MAX_SAFE_INTEGER } = within;
  return [aspectName ?? null, startMs, endMs];
}

interface ComparedRow {
  readonly n: number;
  readonly seq: number;
  readonly digest: string;
}

interface LatestValueRow {
  readonly urn: string;
  readonly aspect: string;
  readonly timestamp_ms: number;
  readonly seq: number;
  readonly value: string | null;
}

interface TimeseriesValueRow {
  readonly timestamp_ms: number;
  readonly value_key: string;
  readonly seq: number;
  /** Null behind the size limit of a page. */
  readonly value: string | null;
  readonly system_metadata: string;
}

function toTimeseriesValue({
  timestamp_ms,
  value_key,
  seq,
  value,
  system_metadata,
}: TimeseriesValueRow): readonly ReadTimeseriesValue[] {
  if (value === null) return [];
  return [{ timestampMs: timestamp_ms, valueKey: value_key, seq, value, systemMetadata: system_metadata }];
}
