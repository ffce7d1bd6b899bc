import { afterAll, beforeAll } from '@jest/globals';
import { Database } from '../database/database';
import { createScratchDatabase, type ScratchDatabase } from '../database/scratch-database';

/** A migrated database of its own for one suite; it exists while the suite's hooks and tests run. */
export interface SuiteDatabase {
  readonly database: Database;
  readonly scratch: ScratchDatabase;
}

/** Registers hooks that create the database before the suite's own hooks run, and drop it after the tests. */
export function useSuiteDatabase({ poolSize = 4 } = {}): SuiteDatabase {
  let open: SuiteDatabase | undefined;
  beforeAll(async () => {
    const scratch = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    open = { scratch, database: await Database.open({ url: scratch.url, poolSize }) };
  });
  afterAll(async () => {
    await open?.database.close();
    await open?.scratch.drop();
  });
  const opened = (): SuiteDatabase => {
    if (open === undefined) throw new Error('The database exists only while the suite runs');
    return open;
  };
  return {
    get database() {
      return opened().database;
    },
    get scratch() {
      return opened().scratch;
    },
  };
}
