import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonValue } from '@stratalog/json';
import { TRUNCATE_OLD, truncationParameters } from './truncate-statement';
import { useSuiteDatabase } from '../testing/suite-database';

const URN = 'urn:li:tag:busy';
const VERSIONS = 20_000;

describe('TRUNCATE_OLD', () => {
  const suite = useSuiteDatabase();

  beforeAll(async () => {
    await suite.database.use((client) =>
      client.query(
        `insert into change (partition, seq, urn, aspect, version, value, system_metadata, created_ms, actor)
         select 0, n, $1, 'status', n, case when n > $2 - 101 then '{}' end, '{}', n, 'urn:li:corpuser:tester'
           from generate_series(1, $2::integer) n`,
        [URN, VERSIONS],
      ),
    );
    await suite.database.use((client) =>
      client.query(
        `insert into aspect_truncation (urn, aspect, partition, upto, truncated_ms) values ($1, 'status', 0, $2::bigint, 1)`,
        [URN, VERSIONS - 101],
      ),
    );
  });

  it('reads only a few pages of a long history', async () => {
    const truncations = [{ urn: URN, aspectName: 'status', upTo: VERSIONS - 100, beforeMs: VERSIONS }];
    const options = { partitionOf: () => 0, limit: 17, isPublished: false, nowMs: 2 };
    const { rows } = await suite.database.use((client) =>
      client.query<{ 'QUERY PLAN': readonly { readonly Plan: JsonValue }[] }>(
        `explain (analyze, buffers, format json) ${TRUNCATE_OLD.text}`,
        truncationParameters(truncations, options),
      ),
    );
    const plan = stringifyJson(rows[0]?.['QUERY PLAN'][0]?.Plan ?? null);
    const pages = [...plan.matchAll(/"Shared (?:Hit|Read) Blocks": ?(\d+)/g)].map(([, count]) =>
      Number(count),
    );
    expect(pages.some((count) => count > 0)).toBe(true);
    // The whole history has some hundred pages.
    expect(Math.max(...pages)).toBeLessThan(100);
    const left = await suite.database.use((client) =>
      client.query<{ kept: number }>('select count(*) as kept from change where value is not null'),
    );
    expect(left.rows[0]?.kept).toBe(100);
  });
});
