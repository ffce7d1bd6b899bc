import type { MigrationInterface, QueryRunner } from 'typeorm';
import store from './0001-store.sql';
import timeseries from './0002-timeseries.sql';
import logs from './0003-logs.sql';
import indexVersions from './0004-index-versions.sql';
import retention from './0006-retention.sql';
import registries from './0007-registries.sql';
import tasks from './0008-tasks.sql';
import operations from './0009-operations.sql';
import accessTokens from './0010-access-tokens.sql';
import logStops from './0011-log-stops.sql';
import sessions from './0012-sessions.sql';
import appliedAhead from './0013-applied-ahead.sql';
import deadLetters from './0014-dead-letters.sql';

/** A change of the schema that runs once in each database. Frozen from the commit that lands it: an edited one stops the start of every store that ran it. */
interface Migration extends MigrationInterface {
  readonly name: string;
  readonly sql: string;
}

type MigrationClass = new () => Migration;

/** Forward only: to go back, restore a backup. TypeORM orders migrations by the number at the end of their name. */
function migration(name: string, sql: string): MigrationClass {
  return class implements Migration {
    readonly name = name;
    readonly sql = sql;

    async up(runner: QueryRunner): Promise<void> {
      // A database or a role may have limits; a migration of many rows takes minutes.
      await runner.query('set local statement_timeout = 0; set local lock_timeout = 0');
      await runner.query(sql);
      await runner.query(
        `insert into migration_checksum (name, sha256) values ($1, encode(sha256(convert_to($2, 'UTF8')), 'hex'))`,
        [name, sql],
      );
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
  migration('Operations2026112300009', operations),
  migration('AccessTokens2026112300010', accessTokens),
  migration('LogStops2026112700011', logStops),
  migration('Sessions2026112800012', sessions),
  migration('AppliedAhead2026112800013', appliedAhead),
  migration('DeadLetters2026112800014', deadLetters),
];
