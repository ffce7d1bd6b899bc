import { describe } from '@jest/globals';
import { tokenStoreContract } from '@stratalog/testkit';
import { PostgresTokenStore } from './token-store';
import { useSuiteDatabase } from '../testing/suite-database';

describe('PostgresTokenStore', () => {
  const suite = useSuiteDatabase();

  tokenStoreContract(async () => {
    await suite.database.use((client) => client.query('truncate access_token'));
    return new PostgresTokenStore(suite.database);
  });
});
