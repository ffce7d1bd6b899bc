import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Database,
  PostgresAspectStore,
  createScratchDatabase,
  type ScratchDatabase,
} from '@stratalog/adapters-postgres';
import { systemClock, Notifier } from '@stratalog/concurrency';
import { datasetUrn, plainBatch, toRange } from '@stratalog/testkit';
import { STORE_RULES, checkRules } from './check-tables';

const PARTITIONS = 1;
const URN = datasetUrn('checked');
const REF = { urn: URN, aspectName: 'datasetProperties' };

describe('the rules of the store', () => {
  let scratch: ScratchDatabase;
  let database: Database;

  beforeAll(async () => {
    scratch = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    database = await Database.open({ url: scratch.url, poolSize: 2 });
    const options = { clock: systemClock, partitions: PARTITIONS, changes: new Notifier() };
    const store = await PostgresAspectStore.open(database, options);
    for (const [from, value] of ['{"a":1}', '{"a":2}'].entries()) {
      await store.commit(plainBatch([toRange(URN, PARTITIONS, from)], [{ ...REF, value }]));
    }
    // A write without a run.
    const other = plainBatch([toRange(URN, PARTITIONS, 2)], [{ ...REF, aspectName: 'status', value: '{}' }]);
    await store.commit({
      ...other,
      decide: (snapshot) => {
        const decided = other.decide(snapshot);
        return { ...decided, changes: decided.changes.map((change) => ({ ...change, systemMetadata: {} })) };
      },
    });
    await database.use((client) => client.query('create table kept as table aspect_latest'));
  });
  beforeEach(async () => {
    await run('truncate aspect_latest', 'insert into aspect_latest select * from kept');
    await run(`update entity set seq = 3 where urn = '${URN}'`, 'truncate dead_letter');
  });
  afterAll(async () => {
    await database.close();
    await scratch.drop();
  });

  const run = async (...statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await database.use((client) => client.query(statement));
  };

  it('hold for the store’s own writes', async () => {
    await expect(checkRules(database, STORE_RULES)).resolves.toBeUndefined();
  });

  it.each([
    ['a version that is not the last', 'latest', 'update aspect_latest set version = version - 1'],
    ['another value', 'latest', `update aspect_latest set value = '{"a":3}'`],
    ['an aspect that is not there', 'latest', 'delete from aspect_latest'],
    ['the run of another', 'runs', `update aspect_latest set run_id = 'run-2' where run_id = 'run-1'`],
    [
      'a run that no write named',
      'runs',
      `update aspect_latest set run_id = 'run-1', run_ms = 1 where run_id is null`,
    ],
    ['a run that is not known', 'runs', 'update aspect_latest set run_id = null, run_ms = null'],
    [
      'another moment of its run',
      'runs',
      'update aspect_latest set run_ms = run_ms - 1 where run_id is not null',
    ],
    ['an entity that stands elsewhere', 'entities', 'update entity set seq = seq - 1'],
    [
      'a proposal that became a dead letter',
      'rejected',
      `insert into dead_letter (partition, log_offset, reason, proposal, rejected_ms) values (0, 1, 'r', '{}', 1)`,
    ],
  ])('find %s', async (_what, check, damage) => {
    await run(damage);
    await expect(checkRules(database, STORE_RULES)).rejects.toMatchObject({ check });
  });
});
