import type { Clock } from '@stratalog/ports';
import type { PoolClient } from 'pg';
import type { Database } from '../database/database';

/** Months so far from this one are not partitioned: what is dated there is most likely a mistake, or rare. */
const MONTHS_BACK = 120;
const MONTHS_AHEAD = 12;
/** Nobody who needs the default partition waits longer than this for a month to be attached. */
const LOCK_TIMEOUT_MS = 200;
/** It looks through the default partition, which holds little. */
const STATEMENT_TIMEOUT_MS = 2_000;
/** After a failure the month's points lie in the default partition for so long at least. */
const RETRY_AFTER_MS = 60_000;
const CHECK_VIOLATION = '23514';
/** Any number that nothing else locks. */
const ADVISORY_LOCK = 7_041_996_011;

/**
 * The monthly partitions of points, made when the first point of a month comes: before its commit, on a connection of their own and
 * under no lock of a commit, so that they cannot wait for one another in a circle. Should it fail, because the default partition is busy for
 * too long, the points go there. They are found there as well, and move when the month is attached some other time.
 */
export class TimeseriesPartitions {
  /** By month: attached, or not to be tried before then, as the process counts milliseconds. */
  private readonly settledUntil = new Map<number, number>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Never fails. */
  async prepare(timesMs: readonly number[]): Promise<void> {
    const now = performance.now();
    const thisMonth = monthOf(this.clock.now());
    for (const month of new Set(timesMs.map(monthOf))) {
      if (month < thisMonth - MONTHS_BACK || month > thisMonth + MONTHS_AHEAD) continue;
      if ((this.settledUntil.get(month) ?? -Infinity) > now) continue;
      const isThere = await this.attach(month);
      this.settledUntil.set(month, isThere ? Infinity : now + RETRY_AFTER_MS);
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
  const name = nameOf(month);
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

/** Months since the year 0, by UTC. */
function monthOf(timeMs: number): number {
  const date = new Date(timeMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function startOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12);
}

function nameOf(month: number): string {
  return `timeseries_value_${new Date(startOf(month)).toISOString().slice(0, 7).replace('-', '')}`;
}

/** The partition that a row was meant for does not take it any more, because another one was attached meanwhile. */
export function isStalePartition(error: unknown): boolean {
  const { code, table } = error as { code?: unknown; table?: unknown };
  return code === CHECK_VIOLATION && table === 'timeseries_value_default';
}
