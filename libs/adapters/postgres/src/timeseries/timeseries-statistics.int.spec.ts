import { describe } from '@jest/globals';
import { systemClock } from '@stratalog/ports';
import { timeseriesStatisticsContract } from '@stratalog/testkit';
import { PostgresAspectStore } from '../aspect-store/aspect-store';
import { ChangeNotifier } from '../database/change-notifier';
import { PostgresTimeseriesStatistics } from './timeseries-statistics';
import { useSuiteDatabase } from '../testing/suite-database';

describe('PostgresTimeseriesStatistics', () => {
  const suite = useSuiteDatabase();

  timeseriesStatisticsContract(async () => ({
    store: await PostgresAspectStore.open(suite.database, {
      clock: systemClock,
      partitions: 4,
      changes: new ChangeNotifier(),
    }),
    statistics: new PostgresTimeseriesStatistics(suite.database),
  }));
});
