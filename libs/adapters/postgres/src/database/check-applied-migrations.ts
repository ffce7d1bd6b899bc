import { InvalidSettingError } from '@stratalog/domain';
import type { QueryRunner } from 'typeorm';
import { migrations } from '../migrations/migrations';
import { hashSha256 } from './hash-sha256';

/** The table of the applied migrations, which TypeORM writes. */
export const APPLIED_TABLE = 'schema_migration';

/** A store without checksums was migrated by all of these and by no other. They are frozen since the first checksums. */
const MIGRATIONS_WITHOUT_CHECKSUMS = 10;
/** The digest of the columns that those migrations create; those of earlier texts of the same migrations differ. */
const COLUMNS_WITHOUT_CHECKSUMS = '6927d65f978d6445e27ed64d4606d0b3';

interface KnownMigration {
  readonly name: string;
  readonly sha256: string;
}

/**
 * Rejects a schema that was migrated by other migrations than those of this program, before anything is changed in it. A store from before the
 * checksums gets them when its columns are those of the frozen migrations.
 *
 * **Errors**: `InvalidSettingError`, one line.
 */
export async function checkAppliedMigrations(runner: QueryRunner): Promise<void> {
  const known = migrations.map((Class) => {
    const { name, sql } = new Class();
    return { name, sha256: hashSha256(sql) };
  });
  const applied = await readApplied(runner);
  rejectUnknown(applied, known);
  await addMissingChecksums(runner, applied, known);
  await rejectEdited(runner, applied, known);
}

async function readApplied(runner: QueryRunner): Promise<readonly string[]> {
  if (!(await runner.hasTable(APPLIED_TABLE))) return [];
  const rows = (await runner.query(`select name from ${APPLIED_TABLE}`)) as readonly {
    readonly name: string;
  }[];
  return rows.map(({ name }) => name);
}

function rejectUnknown(applied: readonly string[], known: readonly KnownMigration[]): void {
  const names = new Set(known.map(({ name }) => name));
  const unknown = applied.find((name) => !names.has(name));
  if (unknown === undefined) return;
  throw new InvalidSettingError(
    `The database was brought to ${unknown} by a newer program than this one, or by one from before the first release; start that one, or restore a backup`,
  );
}

async function addMissingChecksums(
  runner: QueryRunner,
  applied: readonly string[],
  known: readonly KnownMigration[],
): Promise<void> {
  if (await runner.hasTable('migration_checksum')) return;
  if (applied.length > 0 && (await hashColumns(runner)) !== COLUMNS_WITHOUT_CHECKSUMS) {
    throw new InvalidSettingError(
      'The schema of the database is one from before the first release, which this program cannot read; start the program that wrote it, or start with a new database',
    );
  }
  await runner.startTransaction();
  try {
    await runner.query('create table migration_checksum (name text primary key, sha256 text not null)');
    for (const { name, sha256 } of applied.length > 0 ? known.slice(0, MIGRATIONS_WITHOUT_CHECKSUMS) : []) {
      await runner.query('insert into migration_checksum (name, sha256) values ($1, $2)', [name, sha256]);
    }
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

async function rejectEdited(
  runner: QueryRunner,
  applied: readonly string[],
  known: readonly KnownMigration[],
): Promise<void> {
  const rows = (await runner.query('select name, sha256 from migration_checksum')) as readonly {
    readonly name: string;
    readonly sha256: string;
  }[];
  const sums = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  const isApplied = new Set(applied);
  const edited = known.find(({ name, sha256 }) => isApplied.has(name) && sums.get(name) !== sha256);
  if (edited === undefined) return;
  throw new InvalidSettingError(
    `Migration ${edited.name} ran in the database with another text than this program has (${sums.get(edited.name) ?? 'no checksum'}, here ${edited.sha256}); start the program that wrote the data`,
  );
}

/** Hashes the names and types of all columns, except those of tables that are created while the catalog runs, whose names end with a number. */
async function hashColumns(runner: QueryRunner): Promise<string> {
  const [row] = (await runner.query(`
    select md5(string_agg(format('%s.%s %s %s', relname, attname, format_type(atttypid, atttypmod), attnotnull), E'\\n'
                          order by relname collate "C", attname collate "C")) as digest
      from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
       and relname !~ '_[0-9]+$' and relname <> all ('{${APPLIED_TABLE},migration_checksum}')`)) as readonly {
    readonly digest: string | null;
  }[];
  return row?.digest ?? '';
}
