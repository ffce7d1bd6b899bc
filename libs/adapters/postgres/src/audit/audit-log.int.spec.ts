import { describe } from '@jest/globals';
import { auditLogContract } from '@stratalog/testkit';
import { PostgresAuditLog } from './audit-log';
import { useSuiteDatabase } from '../testing/suite-database';

describe('PostgresAuditLog', () => {
  const suite = useSuiteDatabase();

  auditLogContract(async () => {
    await suite.database.use((client) => client.query('truncate audit_record'));
    return new PostgresAuditLog(suite.database);
  });
});
