import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { stringifyJson, type JsonObject } from '@stratalog/model';
import { Database } from '../database';
import { createScratchDatabase, type ScratchDatabase } from '../scratch-database';
import runs from './0012-runs.sql';

let scratch: ScratchDatabase;
let database: Database;

beforeAll(async () => {
  scratch = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
  database = await Database.open({ url: scratch.url, poolSize: 2 });
});
afterAll(async () => {
  await database.close();
  await scratch.drop();
});

it('the migration finds the runs of what is stored, and passes over those that nobody could look up', async () => {
  const stored: readonly JsonObject[] = [
    { runId: 'plain', lastObserved: 7 },
    { runId: 'quoted "and" \\ größe \u{1f35e}' },
    { lastObserved: 7 },
    { runId: 'no-run-id-provided' },
    { runId: '' },
    { runId: 'x'.repeat(257) },
    { runId: 'nul \u0000' },
    { runId: 'beside a nul', properties: { text: '\u0000' } },
    { properties: { text: '"runId":"no"' } },
  ];
  const found = await database.use(async (client) => {
    await client.query('alter table aspect_latest drop column run_id, drop column run_ms');
    await client.query(
      `insert into aspect_latest (urn, aspect, version, value, system_metadata, observed, created_ms, actor)
       select 'urn:li:tag:' || n, 'status', 1, '{}', m, '{}', 1000 + n, 'urn:li:corpuser:tester'
         from unnest($1::text[]) with ordinality s(m, n)`,
      [stored.map(stringifyJson)],
    );
    await client.query(runs);
    const { rows } = await client.query<{ urn: string; run_id: string; run_ms: number }>(
      'select urn, run_id, run_ms from aspect_latest where run_id is not null or run_ms is not null order by urn',
    );
    return rows.map(({ urn, run_id, run_ms }) => [urn, run_id, run_ms]);
  });
  expect(found).toEqual([
    ['urn:li:tag:1', 'plain', 1001],
    ['urn:li:tag:2', 'quoted "and" \\ größe \u{1f35e}', 1002],
  ]);
});
