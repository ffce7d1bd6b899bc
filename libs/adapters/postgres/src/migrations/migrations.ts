import type { MigrationInterface, QueryRunner } from 'typeorm';
import store from './0001-store.sql';
import timeseries from './0002-timeseries.sql';
import logs from './0003-logs.sql';
import indexVersions from './0004-index-versions.sql';
import retention from './0006-retention.sql';
import registries from './0007-registries.sql';
import tasks from './0008-tasks.sql';
import timeseriesRuns from './0009-timeseries-runs.sql';
import operations from './0011-operations.sql';
import taskSubjects from './0014-task-subjects.sql';
import deadLetters from './0018-dead-letters.sql';
import taskKinds from './0019-task-kinds.sql';
import consumerCheckpoints from './0020-consumer-checkpoints.sql';
import accessTokens from './0023-access-tokens.sql';
import auditOrigin from './0025-audit-origin.sql';
import callCounts from './0026-call-counts.sql';
import indexBuilders from './0027-index-builders.sql';

type MigrationClass = new () => MigrationInterface;

/** Forward only: to go back, restore a backup. TypeORM orders migrations by the number at the end of their name. */
function migration(name: string, sql: string): MigrationClass {
  return class implements MigrationInterface {
    readonly name = name;

    async up(runner: QueryRunner): Promise<void> {
      // A database or a role may have limits; a migration of many rows takes minutes.
      await runner.query('set local statement_timeout = 0; set local lock_timeout = 0');
      await runner.query(sql);
    }

    down(): Promise<void> {
      return Promise.reject(new Error(`Migration ${name} is forward only`));
    }
  };
}

/** Every migration of the schema, oldest first. The number is the day of its writing and a counter, in 13 digits. */
export const migrations: readonly MigrationClass[] = [
  migration('Store2026112200001', store),
  migration('Timeseries2026112200002', timeseries),
  migration('Logs2026112200003', logs),
  migration('Search2026112200004', indexVersions.replaceAll('<kind>', 'search')),
  migration('Graph2026112200005', indexVersions.replaceAll('<kind>', 'graph')),
  migration('Retention2026112200006', retention),
  migration('Registries2026112200007', registries),
  migration('Tasks2026112300008', tasks),
  migration('TimeseriesRuns2026112300009', timeseriesRuns),
  migration('Operations2026112300011', operations),
  migration('TaskSubjects2026112300014', taskSubjects),
  migration('DeadLetters2026112300018', deadLetters),
  migration('TaskKinds2026112300019', taskKinds),
  migration('ConsumerCheckpoints2026112300020', consumerCheckpoints),
  migration('AccessTokens2026112300023', accessTokens),
  migration('AuditOrigin2026112300025', auditOrigin),
  migration('CallCounts2026112300026', callCounts),
  migration('IndexBuilders2026112300027', indexBuilders),
];
