import { aspectKey, covers, parseSequences, partitionOf, type PartitionSequences } from '@stratalog/domain';
import type {
  AspectRef,
  DeletedRunPage,
  RunDeletion,
  RunDeletionPage,
  RunTimeseries,
  StoreTransaction,
  TimeseriesCount,
  TimeseriesSeries,
  TimeseriesSize,
  TimeseriesStorage,
  TimeseriesTruncation,
  TimeseriesValuePlace,
  TruncatedPage,
  TruncationPage,
} from '@stratalog/ports';
import type { PoolClient } from 'pg';
import type { CommitContext } from '../aspect-store/write-snapshot';
import { LOCK_PARTITIONS } from '../aspect-store/commit-statements';
import { bigintArray, textArray } from '../database/binary-arrays';
import type { Database, Statement } from '../database/database';
import { logDeletions } from './log-deletions';
import { measureSizes } from './timeseries-sizes';

/**
 * Counts in one statement, so that the counts and the sequence numbers are of one instant: a commit moves both in one
 * transaction.
 */
const COUNT_SERIES: Statement = {
  name: 'count-timeseries-series',
  text: `select count(*) as total, count(*) filter (where timestamp_ms <= $4) as matching,
                (select json_object_agg(partition, seq) from store_partition where seq > 0) as position
           from timeseries_value where urn >= $1 and urn < $2 and aspect = $3`,
};

/** Follows the primary key; the limit keeps the server from sorting. */
const VALUES_AFTER: Statement = {
  name: 'timeseries-values-after',
  text: `select urn, aspect, timestamp_ms, value_key, seq from timeseries_value
          where (urn, aspect, timestamp_ms, value_key) > ($1, $3, $5::bigint, $6) and urn >= $1 and urn < $2 and aspect = $3 and timestamp_ms <= $4
          order by urn, aspect, timestamp_ms, value_key limit $7`,
};

/** The bounds of time let the server skip partitions. A value that was replaced since it was read has another `seq`. */
const DELETE_VALUES: Statement = {
  name: 'delete-timeseries-values',
  text: `delete from timeseries_value v
          using unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[]) r(urn, aspect, timestamp_ms, value_key, seq)
          where v.urn = r.urn and v.aspect = r.aspect and v.timestamp_ms = r.timestamp_ms and v.value_key = r.value_key and v.seq = r.seq
            and v.timestamp_ms between $6::bigint and $7::bigint
         returning v.urn, v.aspect, v.timestamp_ms, v.value_key`,
};

/** Selects the aspects without a value after the last deleted one. */
const WITHOUT_LATEST: Statement = {
  name: 'timeseries-without-latest',
  text: `select r.n::integer
           from unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) with ordinality r(urn, aspect, timestamp_ms, value_key, n)
          where not exists (select from timeseries_value v
                             where v.urn = r.urn and v.aspect = r.aspect and v.timestamp_ms >= r.timestamp_ms
                               and (v.timestamp_ms, v.value_key) > (r.timestamp_ms, r.value_key))`,
};

const COUNT_RUN: Statement = {
  name: 'count-timeseries-of-run',
  text: `select count(*) as count,
                (select json_object_agg(partition, seq) from store_partition where seq > 0) as position
           from timeseries_value where run_id = $1`,
};

/** Follows the index on runs, which has the values of a run in the order of `seq`. */
const VALUES_OF_RUN: Statement = {
  name: 'timeseries-values-of-run',
  text: `select urn, aspect, timestamp_ms, value_key, seq from timeseries_value
          where run_id = $1 and seq >= $2::bigint and (seq, urn) > ($2::bigint, $3::text)
          order by seq, urn limit $4`,
};

const PUBLISHED: Statement = {
  name: 'published-sequences',
  text: 'select partition, published from relay_lease where published > 0',
};

/** No character in UTF-8 sorts after this one. */
const AFTER_ANY = '\u{10ffff}';

interface ValueRow {
  readonly urn: string;
  readonly aspect: string;
  readonly timestamp_ms: number;
  readonly value_key: string;
  readonly seq: number;
}

/** Measures and truncates the table `timeseries_value`, and deletes values of runs from it. */
export class PostgresTimeseriesStorage implements TimeseriesStorage {
  constructor(
    private readonly database: Database,
    private readonly options: CommitContext,
  ) {}

  measureSizes(): Promise<readonly TimeseriesSize[]> {
    return this.database.search((client) => measureSizes(client));
  }

  count({
    urnPrefix,
    aspectName,
    endMs,
  }: TimeseriesSeries & { readonly endMs: number }): Promise<TimeseriesCount> {
    return this.database.search(async (client) => {
      const { rows } = await client.query<{
        total: number;
        matching: number;
        position: SequencesRow;
      }>({ ...COUNT_SERIES, values: [urnPrefix, urnPrefix + AFTER_ANY, aspectName, endMs] });
      const { total = 0, matching = 0, position } = rows[0] ?? {};
      return { total, matching, position: parseSequences(position ?? {}) };
    });
  }

  async isPublished(position: PartitionSequences): Promise<boolean> {
    if (!this.options.isPublished) return true;
    const { rows } = await this.database.use((client) =>
      client.query<{ partition: number; published: number }>(PUBLISHED),
    );
    return covers(new Map(rows.map(({ partition, published }) => [partition, published])), position);
  }

  async truncatePage(
    transaction: StoreTransaction,
    { urnPrefix, aspectName, endMs, position, actor }: TimeseriesTruncation,
    { after, limit }: TruncationPage,
  ): Promise<TruncatedPage> {
    const client = transaction as unknown as PoolClient;
    const { urn, timestampMs, valueKey } = after ?? toStart(urnPrefix);
    const values = [urn, urnPrefix + AFTER_ANY, aspectName, endMs, timestampMs, valueKey, limit];
    const { rows } = await client.query<ValueRow>({ ...VALUES_AFTER, values });
    const lastRow = rows.at(-1);
    if (lastRow === undefined) return { deleted: 0, stale: [] };
    const due = rows.filter((row) => this.isUpTo(position, row));
    const last = { urn: lastRow.urn, timestampMs: lastRow.timestamp_ms, valueKey: lastRow.value_key };
    return { ...(await this.deleteValues(client, due, actor)), last };
  }

  countRun(runId: string): Promise<RunTimeseries> {
    return this.database.search(async (client) => {
      const { rows } = await client.query<{ count: number; position: SequencesRow }>({
        ...COUNT_RUN,
        values: [runId],
      });
      return { count: rows[0]?.count ?? 0, position: parseSequences(rows[0]?.position ?? {}) };
    });
  }

  async deleteRunPage(
    transaction: StoreTransaction,
    { runId, position, actor }: RunDeletion,
    { after, limit }: RunDeletionPage,
  ): Promise<DeletedRunPage> {
    const client = transaction as unknown as PoolClient;
    const values = [runId, after?.seq ?? 0, after?.urn ?? '', limit];
    const { rows } = await client.query<ValueRow>({ ...VALUES_OF_RUN, values });
    const last = rows.at(-1);
    if (last === undefined) return { deleted: 0, stale: [] };
    const due = rows.filter((row) => this.isUpTo(position, row));
    return { ...(await this.deleteValues(client, due, actor)), last: { seq: last.seq, urn: last.urn } };
  }

  private isUpTo(position: PartitionSequences, row: ValueRow): boolean {
    return row.seq <= (position.get(this.partitionOf(row)) ?? 0);
  }

  /** Takes the locks that writers take, so that the two cannot deadlock. */
  private async deleteValues(
    client: PoolClient,
    due: readonly ValueRow[],
    actor: string,
  ): Promise<DeletedPage> {
    if (due.length === 0) return { deleted: 0, stale: [] };
    const partitions = [...new Set(due.map((row) => this.partitionOf(row)))];
    await client.query({ ...LOCK_PARTITIONS, values: [partitions] });
    const times = due.map(({ timestamp_ms }) => timestamp_ms);
    const { rows } = await client.query<Omit<ValueRow, 'seq'>>({
      ...DELETE_VALUES,
      values: [
        textArray(due.map(({ urn }) => urn)),
        textArray(due.map(({ aspect }) => aspect)),
        bigintArray(times),
        textArray(due.map(({ value_key }) => value_key)),
        bigintArray(due.map(({ seq }) => seq)),
        Math.min(...times),
        Math.max(...times),
      ],
    });
    const deleted = rows.map((row) => ({
      partition: this.partitionOf(row),
      urn: row.urn,
      aspectName: row.aspect,
      timestampMs: row.timestamp_ms,
    }));
    await logDeletions(client, deleted, { actor, nowMs: this.options.clock.now() });
    return { deleted: rows.length, stale: await listWithoutLatest(client, rows) };
  }

  private partitionOf({ urn }: Pick<ValueRow, 'urn'>): number {
    return partitionOf(urn, this.options.partitions);
  }
}

type DeletedPage = Pick<TruncatedPage, 'deleted' | 'stale'>;

/** Lists the aspects of the deleted values that have lost their latest one. */
async function listWithoutLatest(
  client: PoolClient,
  deleted: readonly Omit<ValueRow, 'seq'>[],
): Promise<readonly AspectRef[]> {
  const latest = new Map<string, Omit<ValueRow, 'seq'>>();
  for (const row of deleted) {
    const key = aspectKey({ urn: row.urn, aspectName: row.aspect });
    const known = latest.get(key);
    if (known === undefined || isAfter(row, known)) latest.set(key, row);
  }
  const last = [...latest.values()];
  if (last.length === 0) return [];
  const { rows } = await client.query<{ n: number }>({
    ...WITHOUT_LATEST,
    values: [
      textArray(last.map(({ urn }) => urn)),
      textArray(last.map(({ aspect }) => aspect)),
      bigintArray(last.map(({ timestamp_ms }) => timestamp_ms)),
      textArray(last.map(({ value_key }) => value_key)),
    ],
  });
  return rows.flatMap(({ n }) => {
    const row = last[n - 1];
    return row === undefined ? [] : [{ urn: row.urn, aspectName: row.aspect }];
  });
}

function isAfter(one: Omit<ValueRow, 'seq'>, other: Omit<ValueRow, 'seq'>): boolean {
  return one.timestamp_ms === other.timestamp_ms
    ? one.value_key > other.value_key
    : one.timestamp_ms > other.timestamp_ms;
}

type SequencesRow = Readonly<Record<string, number>> | null;

/** A place before every value of a type: no urn equals its prefix. */
function toStart(urnPrefix: string): TimeseriesValuePlace {
  return { urn: urnPrefix, timestampMs: Number.MIN_SAFE_INTEGER, valueKey: '' };
}
