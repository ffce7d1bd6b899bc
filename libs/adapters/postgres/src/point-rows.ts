import { parseJson, pointId, stringifyJson, type Point, type SystemMetadata } from '@stratalog/model';
import type {
  NewPoint,
  PointDeletion,
  PointPage,
  PointQuestion,
  PointRef,
  PointSpan,
  StoredPoint,
  WriteSet,
} from '@stratalog/ports';
import type { PoolClient } from 'pg';
import { bigintArray, textArray } from './binary-arrays';
import type { Database } from './database';
import {
  ASPECTS_WITH_POINTS,
  COMPARE_POINTS,
  COUNT_POINTS,
  EARLIEST_POINTS,
  END_OF_SLICE,
  FIND_POINTS,
  LATEST_POINTS,
  NOTE_DELETION,
  REMOVE_POINTS,
  WRITE_POINTS,
} from './point-statements';
import { sha256Of } from './sha256-of';

/** Values beyond this many bytes are left to the next page. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;
/** So many are deleted in some hundred milliseconds. */
const POINTS_PER_STATEMENT = 20_000;
/** Greater than any key, which is made of letters, digits, `-` and `_`. */
const BEHIND_KEYS = '~';

/** What a batch asks of the points that are there. */
export interface ReadPoints {
  point(ref: PointRef): StoredPoint | undefined;
  readonly filledSpans: readonly PointSpan[];
}

/** Reads the points that a batch may replace or take away. Most batches have none, and cost nothing. */
export async function comparePoints(
  client: PoolClient,
  points: readonly PointRef[],
  spans: readonly PointSpan[],
): Promise<ReadPoints> {
  const [compared, found] = await Promise.all([
    points.length === 0 ? { rows: [] } : compare(client, points),
    spans.length === 0
      ? { rows: [] }
      : client.query<{ n: number }>({ ...FIND_POINTS, values: spanArrays(spans) }),
  ]);
  const stored = new Map<string, ComparedRow>();
  for (const row of compared.rows) {
    const ref = points[row.n - 1];
    if (ref !== undefined) stored.set(pointId(ref), row);
  }
  return {
    point: (ref) => {
      const row = stored.get(pointId(ref));
      return row === undefined
        ? undefined
        : { seq: row.seq, isValue: (text) => sha256Of(text) === row.digest };
    },
    filledSpans: found.rows.flatMap(({ n }) => spans[n - 1] ?? []),
  };
}

function compare(client: PoolClient, points: readonly PointRef[]) {
  return client.query<ComparedRow>({
    ...COMPARE_POINTS,
    values: idArrays(points),
  });
}

/** What names each point, an array for each column. */
function idArrays(points: readonly PointRef[]): readonly Buffer[] {
  return [
    textArray(points.map(({ urn }) => urn)),
    textArray(points.map(({ aspectName }) => aspectName)),
    bigintArray(points.map(({ timestampMs }) => timestampMs)),
    textArray(points.map(({ pointKey }) => pointKey)),
  ];
}

/**
 * Takes points away, before others are written: what a batch removed and wrote again is there. However many there are, each statement takes
 * a slice of them, so that none runs into the time that a statement may take; only the transaction is as long as they are many.
 */
export async function removePoints(client: PoolClient, { pointDeletions = [] }: WriteSet): Promise<void> {
  for (const deletion of pointDeletions) {
    const { urn, aspectName, within, partition, seq, unstored } = deletion;
    const aspects = aspectName === undefined ? await aspectsWithPoints(client, urn) : [aspectName];
    let removed = 0;
    for (const aspect of aspects) removed += await removeSpan(client, { ...deletion, aspectName: aspect });
    if (removed + unstored === 0) continue;
    const values = [partition, seq, within.startMs ?? null, within.endMs ?? null, removed + unstored];
    await client.query({ ...NOTE_DELETION, values });
  }
}

async function aspectsWithPoints(client: PoolClient, urn: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ aspect: string }>({ ...ASPECTS_WITH_POINTS, values: [urn] });
  return rows.map(({ aspect }) => aspect);
}

async function removeSpan(client: PoolClient, span: PointDeletion): Promise<number> {
  const [aspect, start, end] = boundsOf(span);
  let removed = 0;
  for (let from = start; from <= end;) {
    const { rows } = await client.query<{ timestamp_ms: number }>({
      ...END_OF_SLICE,
      values: [span.urn, aspect, from, end, POINTS_PER_STATEMENT],
    });
    // Points of one moment go together, however many they are.
    const to = rows[0] === undefined ? end : Math.max(from, rows[0].timestamp_ms - 1);
    const { rowCount } = await client.query({ ...REMOVE_POINTS, values: [span.urn, aspect, from, to] });
    removed += rowCount ?? 0;
    from = to + 1;
  }
  return removed;
}

export function writePoints(client: PoolClient, { points = [] }: WriteSet): Promise<unknown>[] {
  return points.length === 0 ? [] : [insert(client, points)];
}

function insert(client: PoolClient, points: readonly NewPoint[]): Promise<unknown> {
  return client.query({
    ...WRITE_POINTS,
    values: [
      ...idArrays(points),
      bigintArray(points.map(({ seq }) => seq)),
      textArray(points.map(({ value }) => value)),
      textArray(points.map(({ systemMetadata }) => stringifyJson(systemMetadata))),
    ],
  });
}

export async function readPointPage(database: Database, question: PointQuestion): Promise<PointPage> {
  const { urn, aspectName, within, latestFirst, after, limit } = question;
  const { startMs = Number.MIN_SAFE_INTEGER, endMs = Number.MAX_SAFE_INTEGER } = within;
  // The place bounds the moments as well, so that partitions before it are not looked at.
  const [from, to] = latestFirst
    ? [startMs, Math.min(endMs, after?.timestampMs ?? endMs)]
    : [Math.max(startMs, after?.timestampMs ?? startMs), endMs];
  const place = after ?? { timestampMs: latestFirst ? to : from, pointKey: latestFirst ? BEHIND_KEYS : '' };
  const rows = await database.read(async (client) => {
    const statement = latestFirst ? LATEST_POINTS : EARLIEST_POINTS;
    const values = [urn, aspectName, from, to, place.timestampMs, place.pointKey, limit + 1, MAX_PAGE_BYTES];
    return (await client.query<PointRow>({ ...statement, values })).rows;
  });
  const points = rows.slice(0, limit).map(pointOf);
  return { points, hasMore: (rows[0]?.found ?? 0) > points.length };
}

export async function countPoints(database: Database, span: PointSpan): Promise<number> {
  const [aspect, start, end] = boundsOf(span);
  return database.search(async (client) => {
    const { rows } = await client.query<{ points: number }>({
      ...COUNT_POINTS,
      values: [span.urn, aspect, start, end],
    });
    return rows[0]?.points ?? 0;
  });
}

function spanArrays(spans: readonly PointSpan[]): unknown[] {
  const bounds = spans.map(boundsOf);
  return [
    textArray(spans.map(({ urn }) => urn)),
    textArray(bounds.map(([aspect]) => aspect)),
    bigintArray(bounds.map(([, start]) => start)),
    bigintArray(bounds.map(([, , end]) => end)),
  ];
}

function boundsOf({ aspectName, within }: PointSpan): [string | null, number, number] {
  const { startMs = Number.MIN_SAFE_INTEGER, endMs = Number.MAX_SAFE_INTEGER } = within;
  return [aspectName ?? null, startMs, endMs];
}

interface ComparedRow {
  readonly n: number;
  readonly seq: number;
  readonly digest: string;
}

interface PointRow {
  readonly timestamp_ms: number;
  readonly point_key: string;
  readonly seq: number;
  readonly value: string;
  readonly system_metadata: string;
  /** How many there were before the page was cut to its size. */
  readonly found: number;
}

function pointOf({ timestamp_ms, point_key, seq, value, system_metadata }: PointRow): Point {
  const systemMetadata = parseJson(system_metadata) as SystemMetadata;
  return { timestampMs: timestamp_ms, pointKey: point_key, seq, value, systemMetadata };
}
