import type { PoolClient, QueryResultRow } from 'pg';
import type { SearchStatement } from './search-rows';

/**
 * Sends a statement with planner settings.
 *
 * A statement with tokens must use the token index: a scan would fetch every document's tokens from out of line, which
 * the planner does not count. `work_mem` holds a hundred thousand matches. More processes for one search would each build
 * the same hash of keys, and take the processor from other searches. A prepared statement keeps its generic plan,
 * because planning a plain search takes longer than finding a few documents.
 */
export function runPlanned<Row extends QueryResultRow>(
  client: PoolClient,
  { name, text, values, usesTokens }: SearchStatement,
) {
  const scans = usesTokens ? 'off' : 'on';
  const plans = name === undefined ? 'auto' : 'force_generic_plan';
  return [
    client.query(
      `set local enable_seqscan = ${scans}; set local work_mem = '32MB'; set local max_parallel_workers_per_gather = 0; set local plan_cache_mode = ${plans}`,
    ),
    client.query<Row>(name === undefined ? { text, values } : { name, text, values }),
  ] as const;
}
