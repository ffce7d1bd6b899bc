import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import type { CatalogClient } from '../testing/catalog/catalog-client';
import { catalogsForSuite, type CatalogProcess } from '../testing/catalog/catalog-process';
import { scratchForSuite } from '../testing/catalog/scratch-for-suite';

const TOKEN = 'a-token-of-this-suite';
const WITH_TOKEN = { authorization: `Bearer ${TOKEN}` };
const VALUES = 3_000;
const ASPECTS = ['datasetProfile', 'operation', 'datasetUsageStatistics'];
const RUNS = ['run-a', 'run-b'];
const TAGS = 400;
/** The lease of a task, and the time in which others notice its end. */
const TAKEN_OVER_MS = limitMs(90_000);
const COUNT = 'select count(*)::integer as n from';

/** Several catalogs on one store, as the processes of the admin app are. */
describe('tasks of several processes on one store', () => {
  const catalogs = catalogsForSuite();
  const scratch = scratchForSuite();

  const start = (): CatalogProcess =>
    catalogs.start({
      DATABASE_URL: scratch.url(),
      STRATALOG_DATA_DIR: mkdtempSync(join(catalogs.folder.path, 'process-')),
      STRATALOG_TOKEN: TOKEN,
      STRATALOG_LOG_LEVEL: 'silent',
    });
  const count = async (text: string): Promise<number> =>
    Number((await scratch.query(`${COUNT} ${text}`))[0]?.n);
  const post = async (http: CatalogClient, target: string, body: JsonOutputObject): Promise<JsonValue> =>
    (await http.post(target, stringifyJson(body), WITH_TOKEN)).json;
  const truncate = (http: CatalogClient, aspect: string): Promise<JsonValue> =>
    post(http, '/operations?action=truncateTimeseriesAspect', {
      entityType: 'dataset',
      aspect,
      endTimeMillis: VALUES * 1_000,
      batchSize: 5,
      dryRun: false,
    });

  /** Values of the truncated aspects and of the runs, and a note of each checkpoint. Each value of a run has a urn of its own, which is its place in the rollback. */
  const fill = async (): Promise<void> => {
    const insert = (aspect: string, from: number, run = 'null'): Promise<unknown> =>
      scratch.query(`insert into timeseries_value (urn, aspect, timestamp_ms, value_key, seq, value, system_metadata, run_id)
        select format('urn:li:dataset:(urn:li:dataPlatform:hive,shared-%s,PROD)', n), '${aspect}', n * 1000, 'k', 0, '{}', '{}', ${run}
          from generate_series(${String(from + 1)}, ${String(from + VALUES)}) n`);
    for (const aspect of ASPECTS) await insert(aspect, 0);
    // Behind the end of the truncations.
    for (const [n, run] of RUNS.entries()) await insert('operation', (n + 1) * VALUES, `'${run}'`);
    await scratch.query(`create table checkpoint_note (n bigint generated always as identity, task bigint, fence bigint, done bigint);
      create function note_checkpoint() returns trigger language plpgsql as
        'begin insert into checkpoint_note (task, fence, done) values (new.id, new.fence, new.done); return null; end';
      create trigger note_checkpoint after update on task for each row when (new.checkpoint is distinct from old.checkpoint) execute function note_checkpoint()`);
  };
  const fillTags = async (http: CatalogClient): Promise<void> => {
    const proposals = Array.from({ length: TAGS }, (_, n) => ({
      entityType: 'tag',
      entityUrn: `urn:li:tag:shared${String(n)}`,
      changeType: 'UPSERT',
      aspectName: 'tagProperties',
      aspect: { value: stringifyJson({ name: `shared ${String(n)}` }), contentType: 'application/json' },
    }));
    await post(http, '/aspects?action=ingestProposalBatch', { proposals });
  };
  const isUnderWay = async (): Promise<boolean> =>
    (await count(`task where kind = 'truncate-timeseries' and done > 100`)) === ASPECTS.length &&
    (await count(`task where kind = 'rollback-run'`)) === RUNS.length;

  it(
    'are each done once, when one process is killed and another stands still until its tasks are taken over',
    async () => {
      const [killed, paused, left] = [start(), start(), start()];
      const clients = await Promise.all([killed, paused, left].map((catalog) => catalog.client()));
      const [first, second, third] = clients as [CatalogClient, CatalogClient, CatalogClient];
      await fill();
      await fillTags(third);
      for (const [n, aspect] of ASPECTS.entries()) await truncate(clients[n] ?? third, aspect);
      const cut = RUNS.map((runId) =>
        post(first, '/runs?action=rollback', { runId, dryRun: false, safe: true }).catch(() => undefined),
      );
      await post(second, '/operations?action=rebuildIndices', { index: 'search' });
      await until(isUnderWay);
      paused.signal('SIGSTOP');
      await killed.stop('SIGKILL');
      await Promise.all(cut);
      await until(async () => (await count('task where ended is null')) === 0, TAKEN_OVER_MS);
      const ended = await scratch.query(
        'select kind, state, done, total, outcome, fence from task order by id',
      );
      paused.signal('SIGCONT');
      // It answers again, so what it was at is over.
      await post(second, '/operations?action=getIndexSizes', {});

      const truncations = ended.filter(({ kind }) => kind === 'truncate-timeseries');
      expect(truncations).toHaveLength(ASPECTS.length);
      for (const task of truncations) {
        expect(task).toMatchObject({ state: 'completed', outcome: { deleted: VALUES } });
      }
      expect(ended.filter(({ state }) => state !== 'completed')).toEqual([]);
      // Another process went on with what these had started.
      expect(ended.some(({ fence }) => Number(fence) > 1)).toBe(true);
      expect(await count('timeseries_value')).toBe(0);
      // A later owner never comes before an earlier one, and the work is never further than it is afterwards.
      const repeated = `(select task, fence, done, lag(fence) over w as fence_before, lag(done) over w as done_before
                           from checkpoint_note window w as (partition by task order by n)) c`;
      expect(await count(`${repeated} where fence < fence_before or done < done_before`)).toBe(0);
      // The process that stood still has changed nothing since.
      expect(
        await scratch.query('select kind, state, done, total, outcome, fence from task order by id'),
      ).toEqual(ended);
      await paused.stop();
      await left.stop();
    },
    limitMs(240_000),
  );
});
