import type { CallCount, CallCounts, CallKind } from '@stratalog/ports';
import type { Database } from '../database/database';

interface CountRow {
  readonly kind: CallKind;
  readonly caller: string;
  readonly window: string;
  readonly count: number;
}

/** Shares counts of calls in one table. */
export class PostgresCallCounts implements CallCounts {
  constructor(private readonly database: Database) {}

  async add(counts: readonly CallCount[]): Promise<readonly CallCount[]> {
    if (counts.length === 0) return [];
    const { rows } = await this.database.use((client) =>
      client.query<CountRow>({
        name: 'add-call-counts',
        // One order for all processes, so that they wait for one another in turn and never in a circle.
        text: `insert into call_count (kind, caller, window_number, count)
select * from unnest($1::text[], $2::text[], $3::bigint[], $4::int[]) as added order by 1, 2, 3
on conflict (kind, caller, window_number)
do update set count = call_count.count + excluded.count, updated = clock_timestamp()
returning kind, caller, window_number as window, count`,
        values: [
          counts.map(({ kind }) => kind),
          counts.map(({ caller }) => caller),
          counts.map(({ window }) => window),
          counts.map(({ count }) => count),
        ],
      }),
    );
    return rows.map(toCount);
  }

  async listRecent(kind: CallKind, ageMs: number, limit: number): Promise<readonly CallCount[]> {
    const { rows } = await this.database.read((client) =>
      client.query<CountRow>({
        name: 'list-recent-call-counts',
        text: `select kind, caller, window_number as window, count from call_count
where updated > clock_timestamp() - $2 * interval '1 millisecond' and kind = $1 order by updated desc limit $3`,
        values: [kind, ageMs, limit],
      }),
    );
    return rows.map(toCount);
  }

  async purge(kinds: readonly CallKind[], ageMs: number): Promise<number> {
    const { rowCount } = await this.database.use((client) =>
      client.query({
        name: 'purge-call-counts',
        text: `delete from call_count
where updated < clock_timestamp() - $2 * interval '1 millisecond' and kind = any($1)`,
        values: [kinds, ageMs],
      }),
    );
    return rowCount ?? 0;
  }
}

function toCount({ window, ...row }: CountRow): CallCount {
  return { ...row, window: Number(window) };
}
