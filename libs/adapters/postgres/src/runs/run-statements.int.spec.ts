import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonValue } from '@stratalog/json';
import type { Statement } from '../database/database';
import { COUNT_RUN, RUN_ASPECTS, RUNS } from './run-statements';
import { useSuiteDatabase } from '../testing/suite-database';

const ENTITIES = 20_000;
const RUN_COUNT = 200;
const EXCEPT_SOFT_DELETED = ['status', '[{,]"removed":true[,}]'];
const INCLUDE_ALL = [null, null];

describe('The statements about runs', () => {
  const suite = useSuiteDatabase();

  beforeAll(async () => {
    await suite.database.use(async (client) => {
      await client.query(
        `insert into aspect_latest (urn, aspect, version, value, system_metadata, observed, created_ms, actor, run_id, run_ms)
         select 'urn:li:tag:' || n, a, 1, '{}', '{}', '{}', n, 'urn:li:corpuser:tester',
                case when n % 2 = 0 then 'run-' || n % $2::integer end, case when n % 2 = 0 then n end
           from generate_series(1, $1::integer) n cross join unnest(array['tagKey', 'tagProperties', 'status']) a`,
        [ENTITIES, RUN_COUNT],
      );
      await client.query('analyze aspect_latest');
    });
  });

  /** Reads the plan of a statement and the number of pages that it touched. */
  const explain = async (
    { text }: Statement,
    values: unknown[],
  ): Promise<{ plan: string; pages: number }> => {
    const { rows } = await suite.database.use((client) =>
      client.query<{ 'QUERY PLAN': readonly { readonly Plan: JsonValue }[] }>(
        `explain (analyze, buffers, format json) ${text}`,
        values,
      ),
    );
    const plan = stringifyJson(rows[0]?.['QUERY PLAN'][0]?.Plan ?? null);
    const counts = [...plan.matchAll(/"Shared (?:Hit|Read) Blocks": ?(\d+)/g)].map(([, count]) =>
      Number(count),
    );
    return { plan, pages: Math.max(...counts) };
  };

  it('list runs with one index probe each', async () => {
    const { plan, pages } = await explain(RUNS, [...INCLUDE_ALL, 0, 2]);
    expect(plan).toContain('"aspect_latest_run"');
    expect(plan).not.toContain('"Seq Scan"');
    expect(pages).toBeLessThan(RUN_COUNT * 5);
  });

  it('read entities only of the runs on the page', async () => {
    const { plan, pages } = await explain(RUNS, [...EXCEPT_SOFT_DELETED, 0, 1]);
    expect(plan).not.toContain('"Seq Scan"');
    const all = await explain(RUNS, [...EXCEPT_SOFT_DELETED, 0, RUN_COUNT]);
    expect(pages).toBeLessThan(all.pages / 10);
  });

  it('count and page through one run without reading another', async () => {
    const perRun = (3 * ENTITIES) / RUN_COUNT;
    const counted = await explain(COUNT_RUN, [...INCLUDE_ALL, 'run-2', ['tagKey'], null]);
    expect(counted.plan).toContain('"aspect_latest_run"');
    expect(counted.pages).toBeLessThan(perRun * 3);
    const place = [0, Number.MAX_SAFE_INTEGER, '', ''];
    const page = await explain(RUN_ASPECTS, [
      ...INCLUDE_ALL,
      'run-2',
      ...place,
      null,
      true,
      0,
      20,
      false,
      1_000_000,
      null,
      null,
    ]);
    expect(page.plan).toContain('"aspect_latest_run"');
    expect(page.plan).not.toContain('"Seq Scan"');
    expect(page.pages).toBeLessThan(300);
  });
});
