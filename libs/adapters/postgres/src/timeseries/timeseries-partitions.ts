import type { Clock } from '@stratalog/ports';
import type { PoolClient } from 'pg';
import type { Database } from '../database/database';

/** Range of months with their own partition. Dates beyond it are mistakes or rare, and go to the default partition. */
const MONTHS_BACK = 120;
const MONTHS_AHEAD = 12;
/** Maximum time that users of the default partition wait for a month to be attached. */
const LOCK_TIMEOUT_MS = 200;
/** The statement scans the default partition, which holds little. */
const STATEMENT_TIMEOUT_MS = 2_000;
/** Minimum time between attempts to create a month; until then its values go to the default partition. */
const RETRY_AFTER_MS = 60_000;
const CHECK_VIOLATION = '23514';
/** An arbitrary number that no other lock uses. */
const ADVISORY_LOCK = 7_041_996_011;

/**
 * Creates the monthly partitions of timeseries values, each when its first value arrives.
 *
 * It does so before the commit, on its own connection and without locks of a commit, so that the two cannot deadlock.
 * If it fails because the default partition is busy, the values go there. Reads find them there, and they move when the
 * month is attached later.
 */
export class TimeseriesPartitions {
  /** Per month, the process time until which it needs no attempt; infinite once attached. */
  private readonly settledUntil = new Map<number, number>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Creates the missing months of `timesMs`. Never rejects. */
  async prepare(timesMs: readonly number[]): Promise<void> {
    const now = performance.now();
    const thisMonth = toMonth(this.clock.now());
    for (const month of new Set(timesMs.map(toMonth))) {
      if (month < thisMonth - MONTHS_BACK || month > thisMonth + MONTHS_AHEAD) continue;
      if ((this.settledUntil.get(month) ?? -Infinity) > now) continue;
      const isAttached = await this.attach(month);
      this.settledUntil.set(month, isAttached ? Infinity : now + RETRY_AFTER_MS);
    }
  }

  private async attach(month: number): Promise<boolean> {
    try {
      await this.database.transaction((client) => attachMonth(client, month));
      return true;
    } catch {
      return false;
    }
  }
}

async function attachMonth(client: PoolClient, month: number): Promise<void> {
  await client.query(`set local lock_timeout = ${String(LOCK_TIMEOUT_MS)}`);
  await client.query(`set local statement_timeout = ${String(STATEMENT_TIMEOUT_MS)}`);
  await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCK]);
  const name = partitionName(month);
  const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    name,
  ]);
  if (rows[0]?.there === true) return;
  const [from, to] = [startOf(month), startOf(month + 1)];
  await client.query('lock table timeseries_value_default in access exclusive mode');
  await client.query(`create table ${name} (like timeseries_value including all)`);
  await client.query(
    `with moved as (delete from timeseries_value_default where timestamp_ms >= $1 and timestamp_ms < $2 returning *)
     insert into ${name} select * from moved`,
    [from, to],
  );
  await client.query(
    `alter table timeseries_value attach partition ${name} for values from (${String(from)}) to (${String(to)})`,
  );
}

/** Months since the year 0, in UTC. */
function toMonth(timeMs: number): number {
  const date = new Date(timeMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function startOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12);
}

function partitionName(month: number): string {
  return `timeseries_value_${new Date(startOf(month)).toISOString().slice(0, 7).replace('-', '')}`;
}

/** True when another partition was attached in the meantime, so that the default partition rejects the row. */
export function isStalePartition(error: unknown): boolean {
  const { code, table } = error as { code?: unknown; table?: unknown };
  return code === CHECK_VIOLATION && table === 'timeseries_value_default';
}
