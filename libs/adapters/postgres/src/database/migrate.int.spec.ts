import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@stratalog/testkit';
import { migrate } from './migrate';
import { createScratchDatabase, type ScratchDatabase, type ScratchSession } from './scratch-database';

let scratch: ScratchDatabase;

beforeAll(async () => {
  scratch = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
  await migrate(scratch.url, 10_000);
});
afterAll(async () => {
  await scratch.drop();
});

test('a migration takes as long as it needs, whatever limits the database has', async () => {
  const [holder, watcher] = await Promise.all([scratch.session(), scratch.session()]);
  try {
    const database = new URL(scratch.url).pathname.slice(1);
    await holder.query(`alter database ${database} set statement_timeout = '1s'`);
    await holder.query(`alter database ${database} set lock_timeout = '1s'`);
    await holder.query(`delete from schema_migration where name like 'AccessTokens%'`);
    await holder.query(`delete from migration_checksum where name like 'AccessTokens%'`);
    await holder.query('drop table access_token');
    await holder.query('begin');
    // The same table in a transaction that is not over.
    await holder.query('create table access_token ()');
    let isOver = false;
    const migrating = migrate(scratch.url, 10_000).finally(() => (isOver = true));
    const outcome = migrating.then(
      () => 'migrated',
      (error: unknown) => String(error),
    );
    const hasWaitedLong = async (): Promise<boolean> => {
      const waiting = await watcher.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            and clock_timestamp() - query_start > interval '1200 milliseconds'`,
      );
      return waiting.length > 0;
    };
    await until(async () => isOver || (await hasWaitedLong()));
    await holder.query('rollback');
    expect(await outcome).toBe('migrated');
    expect(await watcher.query(`select to_regclass('access_token_created') is not null as exists`)).toEqual([
      { exists: true },
    ]);
  } finally {
    await Promise.all([holder.end(), watcher.end()]);
  }
});

test('a schema of another program is rejected before it is changed', async () => {
  const session = await scratch.session();
  try {
    await session.query(`delete from schema_migration where name like 'AccessTokens%'`);
    await session.query('drop table access_token');
    await session.query(`insert into schema_migration (timestamp, name) values (1, 'Earlier1')`);
    await expect(migrate(scratch.url, 10_000)).rejects.toThrow(/was brought to Earlier1 by a newer program/);
    expect(await session.query(`select to_regclass('access_token') is null as absent`)).toEqual([
      { absent: true },
    ]);
  } finally {
    await session.end();
  }
});

test('a store whose migration has another text since is rejected in one line', async () => {
  await onFreshStore(async (session, url) => {
    await session.query(`update migration_checksum set sha256 = 'other' where name = 'Tasks2026112300008'`);
    await expect(migrate(url, 10_000)).rejects.toThrow(
      /^Migration Tasks2026112300008 ran in the database with another text than this program has \(other, here [0-9a-f]{64}\)[^\n]*$/,
    );
    await session.query(`delete from migration_checksum where name = 'Tasks2026112300008'`);
    await expect(migrate(url, 10_000)).rejects.toThrow(/ran in the database with another text/);
  });
});

test('a store from before the checksums gets them when it has the frozen columns', async () => {
  await onFreshStore(async (session, url) => {
    const sums = 'select name, sha256 from migration_checksum order by name';
    const before = await session.query(sums);
    await forgetChecksums(session);
    await migrate(url, 10_000);
    expect(await session.query(sums)).toEqual(before);
  });
});

test('a store that earlier texts of the same migrations made is rejected before it is changed', async () => {
  await onFreshStore(async (session, url) => {
    await forgetChecksums(session);
    await session.query('alter table log_partition rename column end_offset to extent');
    await expect(migrate(url, 10_000)).rejects.toThrow(/^The schema of the database is one from before/);
    expect(await session.query(`select to_regclass('migration_checksum') is null as absent`)).toEqual([
      { absent: true },
    ]);
  });
});

/** Leaves the store as the last program without checksums left its own. */
async function forgetChecksums(session: ScratchSession): Promise<void> {
  await session.query('drop table migration_checksum');
  // The migrations since.
  await session.query(
    'alter table log_partition drop column stop_reason, drop column stop_ms, drop column new_from, drop column seen_end, drop column ahead',
  );
  await session.query('alter table access_token drop column is_session');
  await session.query(
    'alter table dead_letter drop column cause, drop column last_ms, drop column times, drop column logged_ms, drop column discarded_ms, drop column settled_by',
  );
  await session.query(
    `delete from schema_migration where name ~ '^(LogStops2026112700011|Sessions2026112800012|AppliedAhead2026112800013|DeadLetters2026112800014)$'`,
  );
}

async function onFreshStore(work: (session: ScratchSession, url: string) => Promise<void>): Promise<void> {
  const own = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
  try {
    await migrate(own.url, 10_000);
    const session = await own.session();
    try {
      await work(session, own.url);
    } finally {
      await session.end();
    }
  } finally {
    await own.drop();
  }
}
