import type {
  SourceRange,
  SourceValue,
  TimeseriesSource,
  TimeseriesValueRef,
  WrittenValue,
  WrittenValues,
} from '@stratalog/ports';
import { bigintArray, textArray } from '../database/binary-arrays';
import type { Database, Statement } from '../database/database';

/** Maximum bytes of values of a read. */
const MAX_READ_BYTES = 8 * 1024 * 1024;
/** Sorts after every name and key. */
const AFTER_ANY = '\u{10ffff}';

/** A change names the time of its value; a replaced value has another `seq`. Behind the size limit, rows come without values. */
const READ_WRITTEN: Statement = {
  name: 'read-written-timeseries',
  text: `select n, urn, aspect, timestamp_ms, value_key, seq, case when before < $5::bigint then value end as value
           from (select r.n::integer as n, v.*,
                        sum(octet_length(v.value)) over (order by r.n) - octet_length(v.value) as before
                   from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) with ordinality r(urn, aspect, timestamp_ms, seq, n)
                  cross join lateral (select urn, aspect, timestamp_ms, value_key, seq, value from timeseries_value
                                       where urn = r.urn and aspect = r.aspect and timestamp_ms = r.timestamp_ms and seq = r.seq limit 1) v) s
          order by n`,
};

/** Follows the primary key; the limit keeps the server from sorting. */
const READ_RANGE: Statement = {
  name: 'read-timeseries-range',
  text: `select urn, aspect, timestamp_ms, value_key, seq, value
           from (select v.*, sum(octet_length(value)) over (order by urn, aspect, timestamp_ms, value_key rows unbounded preceding) as total_bytes,
                        row_number() over (order by urn, aspect, timestamp_ms, value_key) as place
                   from (select urn, aspect, timestamp_ms, value_key, seq, value from timeseries_value
                          where (urn, aspect, timestamp_ms, value_key) > ($1, $2, $3::bigint, $4) and urn <= $5
                          order by urn, aspect, timestamp_ms, value_key limit $6) v) s
          where place = 1 or total_bytes <= $7::bigint
          order by place`,
};

const FILTER_STORED: Statement = {
  name: 'filter-stored-timeseries',
  text: `select r.n::integer
           from unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) with ordinality r(urn, aspect, timestamp_ms, value_key, n)
          cross join lateral (select from timeseries_value
                               where urn = r.urn and aspect = r.aspect and timestamp_ms = r.timestamp_ms and value_key = r.value_key limit 1) v`,
};

const COUNT_VALUES: Statement = {
  name: 'count-timeseries-of-aspects',
  text: 'select count(*) as count from timeseries_value where aspect = any($1::text[])',
};

interface ValueRow {
  readonly urn: string;
  readonly aspect: string;
  readonly timestamp_ms: number;
  readonly value_key: string;
  readonly seq: number;
  readonly value: string;
}

interface WrittenRow extends Omit<ValueRow, 'value'> {
  readonly n: number;
  readonly value: string | null;
}

/** Reads the table `timeseries_value` for indices of its values. */
export class PostgresTimeseriesSource implements TimeseriesSource {
  constructor(private readonly database: Database) {}

  async readWritten(changes: readonly WrittenValue[]): Promise<WrittenValues> {
    const { rows } = await this.database.read((client) =>
      client.query<WrittenRow>({
        ...READ_WRITTEN,
        values: [
          textArray(changes.map(({ urn }) => urn)),
          textArray(changes.map(({ aspectName }) => aspectName)),
          bigintArray(changes.map(({ timestampMs }) => timestampMs)),
          bigintArray(changes.map(({ seq }) => seq)),
          MAX_READ_BYTES,
        ],
      }),
    );
    const cut = rows.find(({ value }) => value === null);
    const read = cut === undefined ? changes.length : cut.n - 1;
    const values = rows.flatMap(({ n, value, ...row }) =>
      value === null || n > read ? [] : [toSourceValue({ ...row, value })],
    );
    return { values, read };
  }

  async readRange({ afterUrn, upToUrn, after, limit }: SourceRange): Promise<readonly SourceValue[]> {
    const place =
      after === undefined
        ? [afterUrn ?? '', AFTER_ANY, Number.MAX_SAFE_INTEGER, AFTER_ANY]
        : [after.urn, after.aspectName, after.timestampMs, after.valueKey];
    const { rows } = await this.database.search((client) =>
      client.query<ValueRow>({ ...READ_RANGE, values: [...place, upToUrn, limit, MAX_READ_BYTES] }),
    );
    return rows.map(toSourceValue);
  }

  async filterStored(values: readonly TimeseriesValueRef[]): Promise<readonly TimeseriesValueRef[]> {
    const { rows } = await this.database.read((client) =>
      client.query<{ n: number }>({
        ...FILTER_STORED,
        values: [
          textArray(values.map(({ urn }) => urn)),
          textArray(values.map(({ aspectName }) => aspectName)),
          bigintArray(values.map(({ timestampMs }) => timestampMs)),
          textArray(values.map(({ valueKey }) => valueKey)),
        ],
      }),
    );
    return rows.flatMap(({ n }) => values[n - 1] ?? []);
  }

  async countValues(aspectNames: readonly string[]): Promise<number> {
    const { rows } = await this.database.search((client) =>
      client.query<{ count: number }>({ ...COUNT_VALUES, values: [aspectNames] }),
    );
    return rows[0]?.count ?? 0;
  }
}

function toSourceValue({ urn, aspect, timestamp_ms, value_key, seq, value }: ValueRow): SourceValue {
  return { urn, aspectName: aspect, timestampMs: timestamp_ms, valueKey: value_key, seq, value };
}
