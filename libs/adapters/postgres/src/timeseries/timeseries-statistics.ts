import type {
  TimeseriesStatistics,
  TimeseriesStatisticsQuery,
  TimeseriesStatisticsResult,
} from '@stratalog/ports';
import type { PoolClient } from 'pg';
import type { Database, Statement } from '../database/database';
import { pipelined } from '../database/pipelined';
import { writeStatistics, type StatisticsStatement } from './statistics-statement';

/** Most bytes of the texts of an answer. */
const MAX_BYTES = 16 * 1024 * 1024;

const TIME_ZONE: Statement = {
  name: 'time-zone',
  text: 'select from pg_timezone_names where lower(name) = $1 limit 1',
};

type StatisticsRow = Readonly<Record<string, string | null>> & { readonly bytes: string };

/**
 * Computes statistics from the stored values, without an index of their fields.
 *
 * **Source**: `docs/adr/0108-an-index-of-timeseries-values.md`.
 */
export class PostgresTimeseriesStatistics implements TimeseriesStatistics {
  /** True when the server knows a zone, by names in lower case: listing all of them reads many files. */
  private readonly timeZones = new Map([['utc', true]]);

  constructor(private readonly database: Database) {}

  async aggregate(query: TimeseriesStatisticsQuery): Promise<TimeseriesStatisticsResult> {
    const statement = writeStatistics({ ...query, limit: query.limit + 1 }, MAX_BYTES);
    const rows = await this.database.search((client) => runPlanned(client, statement));
    const isTooLarge = Number(rows[0]?.bytes ?? 0) > MAX_BYTES;
    const shown = isTooLarge ? [] : rows.slice(0, query.limit);
    return {
      groups: shown.map((row) => ({
        keys: query.groups.map((_, at) => row[`k${String(at)}`] ?? ''),
        values: query.metrics.map((_, at) => row[`m${String(at)}`] ?? undefined),
      })),
      isCut: isTooLarge || rows.length > query.limit,
    };
  }

  async knowsTimeZone(name: string): Promise<boolean> {
    const zone = name.toLowerCase();
    const known = this.timeZones.get(zone);
    if (known !== undefined) return known;
    const { rowCount } = await this.database.read((client) => client.query({ ...TIME_ZONE, values: [zone] }));
    const isKnown = rowCount !== 0;
    this.timeZones.set(zone, isKnown);
    return isKnown;
  }
}

/**
 * Settings of the planner for these statements: lists that were split before hardly ever come again; pages come from memory or a disk
 * without heads, so that an index beats reading a whole month; parsing values, which it takes to be free, is worth a second process.
 */
const PLANNING = `set local enable_memoize = off; set local random_page_cost = 1.1;
                  set local parallel_setup_cost = 100; set local parallel_tuple_cost = 0.01`;

async function runPlanned(
  client: PoolClient,
  statement: StatisticsStatement,
): Promise<readonly StatisticsRow[]> {
  const [, , { rows }] = await pipelined([
    client.query('begin read only'),
    client.query(PLANNING),
    client.query<StatisticsRow>(statement),
    client.query('commit'),
  ]);
  return rows;
}
