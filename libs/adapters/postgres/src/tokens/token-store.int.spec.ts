import { afterAll, beforeAll, describe } from '@jest/globals';
import { tokenStoreContract } from '@stratalog/testkit';
import { Database } from '../database/database';
import { createScratchDatabase, type ScratchDatabase } from '../database/scratch-database';
import { PostgresTokenStore } from './token-store';

describe('PostgresTokenStore', () => {
  let scratch: ScratchDatabase;
  let database: Database;

  beforeAll(async () => {
    scratch = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    database = await Database.open({ url: scratch.url, poolSize: 4 });
  });
  afterAll(async () => {
    await database.close();
    await scratch.drop();
  });

  tokenStoreContract(async () => {
    await database.use((client) => client.query('truncate access_token'));
    return new PostgresTokenStore(database);
  });
});
