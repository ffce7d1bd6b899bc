import type { MeasuredValues, TimeseriesSize } from '@stratalog/ports';
import type { PoolClient } from 'pg';
import type { Statement } from '../database/database';

/** Number of 8 KB pages that one measurement reads at most; larger stores are sampled. */
const MAX_PAGES = 32_768;
/** Number of pages of a table that are read in any case, so that a small month is not missed. */
const MIN_PAGES_OF_TABLE = 200;
const PAGE_BYTES = 8_192;

const TABLES: Statement = {
  name: 'timeseries-tables',
  text: `select i.inhrelid::regclass::text as name, pg_relation_size(i.inhrelid) as heap_bytes, pg_total_relation_size(i.inhrelid) as bytes
           from pg_inherits i where i.inhparent = 'timeseries_value'::regclass`,
};

interface TableRow {
  readonly name: string;
  readonly heap_bytes: number;
  readonly bytes: number;
}

interface WeightRow {
  readonly entity_type: string;
  readonly aspect: string;
  readonly weight: number;
  readonly count: number;
  readonly oldest: number;
  readonly newest: number;
}

/**
 * Divides the size that the server reports for each monthly table among the series in it, by the bytes of their rows. The
 * rows of all series lie in the same tables, so the server knows no size of a series.
 */
export async function measureSizes(client: PoolClient): Promise<readonly TimeseriesSize[]> {
  const { rows: tables } = await client.query<TableRow>(TABLES);
  const filled = tables.filter(({ heap_bytes }) => heap_bytes > 0);
  const pages = filled.reduce((sum, { heap_bytes }) => sum + heap_bytes / PAGE_BYTES, 0);
  const sizes = new Map<string, TimeseriesSize>();
  for (const table of filled) {
    const weights = await readWeights(client, table, Math.min(1, MAX_PAGES / pages));
    const sum = weights.reduce((all, { weight }) => all + weight, 0);
    for (const { entity_type: entityType, aspect: aspectName, weight, count, oldest, newest } of weights) {
      const key = `${entityType}/${aspectName}`;
      const former = sizes.get(key);
      const bytes = (former?.bytes ?? 0) + (table.bytes * weight) / sum;
      const values = addValues(former?.values, { count, oldestMs: oldest, newestMs: newest });
      sizes.set(key, { entityType, aspectName, bytes, values });
    }
  }
  return [...sizes.values()];
}

function addValues(former: MeasuredValues | undefined, values: MeasuredValues): MeasuredValues {
  if (former === undefined) return values;
  return {
    count: former.count + values.count,
    oldestMs: Math.min(former.oldestMs, values.oldestMs),
    newestMs: Math.max(former.newestMs, values.newestMs),
  };
}

/**
 * Sums the stored bytes of the rows of each series and counts them, of all rows or of a sample of pages. A row has 28 bytes of its own; its
 * key is stored in the index too.
 */
async function readWeights(
  client: PoolClient,
  { name, heap_bytes }: TableRow,
  fraction: number,
): Promise<readonly WeightRow[]> {
  const part = Math.max(fraction, (MIN_PAGES_OF_TABLE * PAGE_BYTES) / heap_bytes);
  const sample = part < 1 ? `tablesample system (${String(part * 100)})` : '';
  const { rows } = await client.query<WeightRow>(
    `select split_part(urn, ':', 3) as entity_type, aspect,
            sum(56 + 2 * (pg_column_size(urn) + pg_column_size(aspect) + pg_column_size(value_key) + 8)
                + pg_column_size(value) + pg_column_size(system_metadata))::float8 as weight,
            round(count(*) / ${String(Math.min(1, part))}::float8)::bigint as count, min(timestamp_ms) as oldest, max(timestamp_ms) as newest
       from ${name} ${sample} group by 1, 2`,
  );
  return rows;
}
