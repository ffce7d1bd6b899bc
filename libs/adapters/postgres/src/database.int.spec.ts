import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@stratalog/model';
import { Database } from './database';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database';

const LOCK = 'select * from store_partition where partition = 0 for update';

describe('The database', () => {
  let scratch: ScratchDatabase;
  let database: Database;

  beforeAll(async () => {
    scratch = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    database = await Database.open({ url: scratch.url, poolSize: 4 });
    await database.use((client) => client.query('insert into store_partition (partition) values (0)'));
  });
  afterAll(async () => {
    await database.close();
    await scratch.drop();
  });

  it('takes its locks from a process that sleeps in a transaction, and tells it so when it wakes', async () => {
    let wake = (): void => undefined;
    const asleep = new Promise<void>((resolve) => (wake = resolve));
    let isLocked = (): void => undefined;
    const locked = new Promise<void>((resolve) => (isLocked = resolve));
    const sleeper = database.transaction(async (client) => {
      await client.query(LOCK);
      isLocked();
      await asleep;
      await client.query('update store_partition set seq = 1');
    });
    const outcome = sleeper.catch((error: unknown) => error);
    await locked;
    await database.transaction((client) => client.query(LOCK));
    wake();
    expect(await outcome).toBeInstanceOf(UnavailableError);
    const { rows } = await database.use((client) => client.query('select seq from store_partition'));
    expect(rows).toEqual([{ seq: 0 }]);
  });
});
