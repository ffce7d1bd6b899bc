import { describe } from '@jest/globals';
import { changeLogContract } from '@stratalog/testkit';
import { openEmptyStore } from '../testing/empty-store';
import { useSuiteDatabase } from '../testing/suite-database';
import { PostgresChangeLog } from './change-log';

describe('PostgresChangeLog', () => {
  const suite = useSuiteDatabase({ poolSize: 8 });

  changeLogContract(async () => {
    const { store, changes } = await openEmptyStore(suite.database);
    return { store, log: new PostgresChangeLog(suite.database, store.identity.partitions, changes) };
  });
});
