import { afterAll, beforeAll, describe } from '@jest/globals';
import { auditLogContract } from '@stratalog/testkit';
import { Database } from '../database/database';
import { createScratchDatabase, type ScratchDatabase } from '../database/scratch-database';
import { PostgresAuditLog } from './audit-log';

describe('PostgresAuditLog', () => {
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

  auditLogContract(async () => {
    await database.use((client) => client.query('truncate audit_record'));
    return new PostgresAuditLog(database);
  });
});
