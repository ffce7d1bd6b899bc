import { describe } from '@jest/globals';
import { callCountsContract } from '@stratalog/testkit';
import { PostgresCallCounts } from './call-counts';
import { useSuiteDatabase } from '../testing/suite-database';

describe('PostgresCallCounts', () => {
  const suite = useSuiteDatabase();

  callCountsContract(async () => {
    await suite.database.use((client) => client.query('truncate call_count'));
    return new PostgresCallCounts(suite.database);
  });
});
