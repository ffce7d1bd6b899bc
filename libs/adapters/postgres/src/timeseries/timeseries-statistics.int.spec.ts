import { describe } from '@jest/globals';
import { systemClock, Notifier } from '@stratalog/concurrency';
import { timeseriesStatisticsContract } from '@stratalog/testkit';
import { PostgresAspectStore } from '../aspect-store/aspect-store';
import { PostgresTimeseriesStatistics } from './timeseries-statistics';
import { useSuiteDatabase } from '../testing/suite-database';

describe('PostgresTimeseriesStatistics', () => {
  const suite = useSuiteDatabase();

  timeseriesStatisticsContract(async () => ({
    store: await PostgresAspectStore.open(suite.database, {
      clock: systemClock,
      partitions: 4,
      changes: new Notifier(),
    }),
    statistics: new PostgresTimeseriesStatistics(suite.database),
  }));
});
