import { describe, expect, it } from '@jest/globals';
import { parseJson, stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import { crashSuite } from '../testing/crash/crash-suite';

const LOST_CONNECTIONS = 20;
/** Values of one truncation, one each second. */
const SLICE = 1_500;

describe('a task', () => {
  const suite = crashSuite();
  /** Slices of values; each truncation takes the oldest, and some stay. */
  const slices = suite.moments + 2;
  const ASPECT = "aspect = 'datasetProfile'";
  /** Values of 100 entities, one each second. */
  const fill = (): Promise<void> =>
    suite.run(`insert into timeseries_value (urn, aspect, timestamp_ms, value_key, seq, value, system_metadata)
      select format('urn:li:dataset:(urn:li:dataPlatform:hive,crashed-%s,PROD)', n % 100), 'datasetProfile', n * 1000, 'k', 0, '{}', '{}'
        from generate_series(1, ${String(slices * SLICE)}) n on conflict do nothing`);
  const truncate = async (upTo: number, batchSize: number): Promise<string> =>
    (await suite.operate('truncateTimeseriesAspect', {
      entityType: 'dataset',
      aspect: 'datasetProfile',
      endTimeMillis: upTo * 1_000,
      batchSize,
      dryRun: false,
    })) as string;
  const countDone = async (task: string): Promise<number> =>
    at(await suite.readTask(task), 'progress', 'done') as number;
  const completes = (task: string): Promise<void> => until(() => suite.hasEnded(task));
  const countLeft = async (): Promise<number> =>
    Number(await suite.query(`select count(*) from timeseries_value where ${ASPECT}`));
  /** Everything up to `gone` values is deleted and nothing else, and the task counted what it deleted. */
  const expectWhole = async (task: string, matching: number, gone: number): Promise<void> => {
    expect(await suite.readTask(task)).toMatchObject({
      state: 'completed',
      progress: { done: matching, total: matching },
      outcome: { deleted: matching },
    });
    const left = await suite.query(
      `select json_build_array(count(*), min(timestamp_ms))::text from timeseries_value where ${ASPECT}`,
    );
    expect(parseJson(left as string)).toEqual([slices * SLICE - gone, (gone + 1) * 1_000]);
  };

  it(
    `a task that truncates continues where it was after kill -9 at ${String(suite.moments)} moments, and counts every value once`,
    async () => {
      await suite.start();
      await fill();
      for (let moment = 1; moment <= suite.moments; moment++) {
        const left = await countLeft();
        const task = await truncate(moment * SLICE, 5);
        const from = suite.random.below(SLICE);
        await until(async () => (await countDone(task)) >= from || (await suite.hasEnded(task)));
        await suite.kill(async () => {
          const stored = await suite.query(
            `select done from task where kind = 'truncate-timeseries' order by id desc limit 1`,
          );
          expect(left - (await countLeft())).toBe(Number(stored));
        });
        await completes(task);
        await expectWhole(task, SLICE, moment * SLICE);
      }
      await suite.stop();
    },
    limitMs(120_000 + 30_000 * suite.moments),
  );

  it(
    `a task that truncates counts every value once when the server ends its connections at ${String(LOST_CONNECTIONS)} moments`,
    async () => {
      await suite.start();
      await fill();
      const task = await truncate(3 * SLICE, 2);
      for (let lost = 0; lost < LOST_CONNECTIONS;) {
        // Whatever statement the task is at: its read, its locks, its deletion, its checkpoint or its commit.
        const ended = await suite.query(
          `select count(pg_terminate_backend(pid)) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()
              and query ~ 'timeseries_value|store_partition|update task|commit' and random() < 0.5`,
        );
        const before = await countDone(task);
        if (Number(ended) > 0) lost++;
        await until(async () => {
          const now = await suite.readTask(task);
          return at(now, 'progress', 'done') !== before || at(now, 'state') !== 'running';
        });
        expect(await suite.readTask(task)).toMatchObject({ state: 'running' });
      }
      await completes(task);
      await expectWhole(task, 3 * SLICE, 3 * SLICE);
      await suite.stop();
    },
    limitMs(240_000),
  );

  it(
    'a task that rolls a run back deletes each of its timeseries values once, although its process is killed in between',
    async () => {
      const total = 1_200;
      const runId = 'a-run-that-crashes';
      const countValues = async (): Promise<number> =>
        Number(await suite.query(`select count(*) from timeseries_value where run_id = '${runId}'`));
      const call = (target: string, body: object) => suite.http().post(target, stringifyJson({ ...body }));
      await suite.start();
      const proposals = Array.from({ length: total }, (_, n) => ({
        entityType: 'dataset',
        entityUrn: `urn:li:dataset:(urn:li:dataPlatform:hive,rolled-${String(n % 20)},PROD)`,
        changeType: 'UPSERT',
        aspectName: 'operation',
        aspect: {
          contentType: 'application/json',
          value: stringifyJson({ timestampMillis: n, operationType: 'INSERT', lastUpdatedTimestamp: n }),
        },
        systemMetadata: { runId },
      }));
      expect((await call('/aspects?action=ingestProposalBatch', { proposals })).status).toBe(200);
      // The second page of the rollback waits for this row.
      await suite.run(
        `begin; select from timeseries_value where run_id = '${runId}' order by seq desc limit 1 for update`,
      );
      const rollBack = () => call('/runs?action=rollback', { runId, dryRun: false, safe: true });
      const cut = rollBack().catch(() => undefined);
      await until(
        async () => Number(at(await suite.readNewest('rollback-run'), 'progress', 'done') ?? 0) > 0,
      );
      await suite.kill(async () => {
        await cut;
        const gone = total - (await countValues());
        expect(gone).toBe(Number(await suite.query(`select done from task where kind = 'rollback-run'`)));
        expect([gone > 0, gone < total]).toEqual([true, true]);
        await suite.run('rollback');
      });
      await until(async () => at(await suite.readNewest('rollback-run'), 'state') === 'completed');
      expect(at(await suite.readNewest('rollback-run'), 'outcome', 'timeseriesRows')).toBe(total);
      expect(await countValues()).toBe(0);
      await suite.stop();
    },
    limitMs(120_000),
  );

  it(
    'a task that evaluates tests repeats no more than 1,000 entities after kill -9, and writes each result once',
    async () => {
      const TAGS = 6_300;
      const BATCH = 525;
      const REPEATED = 1_000;
      const write = (
        proposals: readonly (readonly [urn: string, aspectName: string, value: JsonOutputObject])[],
      ) =>
        suite.operate(
          'ingestProposalBatch',
          {
            proposals: proposals.map(([entityUrn, aspectName, value]) => ({
              entityType: entityUrn.split(':')[2] ?? '',
              entityUrn,
              changeType: 'UPSERT',
              aspectName,
              aspect: { contentType: 'application/json', value: stringifyJson(value) },
            })),
          },
          'aspects',
        );
      const countResults = async (condition = 'true'): Promise<number> =>
        Number(
          await suite.query(
            `select count(*) from aspect_latest where aspect = 'testResults' and ${condition}`,
          ),
        );
      await suite.start();
      for (let from = 0; from < TAGS; from += BATCH) {
        await write(
          Array.from({ length: BATCH }, (_, n) => [
            `urn:li:tag:crashed${String(from + n)}`,
            'tagProperties',
            { name: 'crashed' },
          ]),
        );
      }
      const json = stringifyJson({
        on: { types: ['tag'] },
        rules: { property: 'tagProperties.name', operator: 'exists' },
      });
      await write([
        [
          'urn:li:test:crashed',
          'testInfo',
          { name: 'crashed', category: 'a', definition: { type: 'JSON', json } },
        ],
      ]);
      const task = at(await suite.operate('evaluateAll', { entityTypes: ['tag'] }, 'test'), 'task') as string;
      for (let moment = 0; moment < suite.moments; moment++) {
        const from = (await countDone(task)) + suite.random.below(TAGS / (suite.moments + 1));
        await until(async () => (await countDone(task)) >= from || (await suite.hasEnded(task)));
        await suite.kill(async () => {
          const checked = await suite.query(
            `select checkpoint ->> 'evaluated' from task where kind = 'evaluate-tests'`,
          );
          expect((await countResults()) - Number(checked)).toBeLessThanOrEqual(REPEATED);
        });
      }
      await completes(task);
      expect(await suite.readTask(task)).toMatchObject({
        state: 'completed',
        progress: { done: TAGS, total: TAGS },
        outcome: { evaluated: TAGS, passing: TAGS },
      });
      expect(await countResults('version = 1')).toBe(TAGS);
      await suite.stop();
    },
    limitMs(120_000 + 30_000 * suite.moments),
  );
});
