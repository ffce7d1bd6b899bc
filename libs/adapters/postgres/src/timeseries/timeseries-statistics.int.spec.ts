import { afterAll, beforeAll, describe } from '@jest/globals';
import { systemClock } from '@stratalog/ports';
import { timeseriesStatisticsContract } from '@stratalog/testkit';
import { PostgresAspectStore } from '../aspect-store/aspect-store';
import { ChangeNotifier } from '../database/change-notifier';
import { Database } from '../database/database';
import { createScratchDatabase, type ScratchDatabase } from '../database/scratch-database';
import { PostgresTimeseriesStatistics } from './timeseries-statistics';

describe('PostgresTimeseriesStatistics', () => {
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

  timeseriesStatisticsContract(async () => ({
    store: await PostgresAspectStore.open(database, {
      clock: systemClock,
      partitions: 4,
      changes: new ChangeNotifier(),
    }),
    statistics: new PostgresTimeseriesStatistics(database),
  }));
});
