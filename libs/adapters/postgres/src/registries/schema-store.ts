import type { SchemaStore, SchemaText, SubjectVersion } from '@stratalog/ports';
import type { PoolClient } from 'pg';
import type { Database } from '../database/database';

/** An arbitrary number that every process of this product shares. */
const REGISTER_LOCK = 7_305_410_204;
const ID_DIGITS = 8;
const MAX_ID = 0x7fffffff;
const SELECT = `select u.subject, u.version, s.id, s.schema_text as text
  from schema_subject u join registered_schema s on s.id = u.schema_id`;

/** Stores schemas in two tables. Registrations are rare and run one at a time; all other calls only read. */
export class PostgresSchemaStore implements SchemaStore {
  constructor(private readonly database: Database) {}

  async register(subject: string, schema: SchemaText): Promise<SubjectVersion> {
    const known = await this.find(subject, schema.fingerprint);
    if (known !== undefined) return known;
    await this.database.transaction(async (client) => {
      await client.query('select pg_advisory_xact_lock($1)', [REGISTER_LOCK]);
      await client.query(
        `insert into schema_subject (subject, version, schema_id)
         select $1, 1 + coalesce((select max(version) from schema_subject where subject = $1), 0), $2
         on conflict (subject, schema_id) do nothing`,
        [subject, await assignId(client, schema)],
      );
    });
    const added = await this.find(subject, schema.fingerprint);
    if (added === undefined) throw new Error(`The schema that was added to ${subject} is not there`);
    return added;
  }

  async find(subject: string, fingerprint: string): Promise<SubjectVersion | undefined> {
    return (await this.select('where u.subject = $1 and s.fingerprint = $2', [subject, fingerprint]))[0];
  }

  async schema(id: number): Promise<string | undefined> {
    const { rows } = await this.database.read((client) =>
      client.query<{ text: string }>('select schema_text as text from registered_schema where id = $1', [id]),
    );
    return rows[0]?.text;
  }

  async subjects(): Promise<readonly string[]> {
    const { rows } = await this.database.read((client) =>
      client.query<{ subject: string }>('select distinct subject from schema_subject'),
    );
    // Sorts by UTF-16 code units, independent of the database's collation.
    return rows.map(({ subject }) => subject).sort();
  }

  versions(subject: string): Promise<readonly SubjectVersion[]> {
    return this.select('where u.subject = $1 order by u.version', [subject]);
  }

  countUses(id: number): Promise<readonly SubjectVersion[]> {
    return this.select('where s.id = $1 order by u.subject, u.version', [id]);
  }

  private async select(where: string, values: readonly unknown[]): Promise<readonly SubjectVersion[]> {
    const { rows } = await this.database.read((client) =>
      client.query<SubjectVersion>(`${SELECT} ${where}`, [...values]),
    );
    return rows;
  }
}

/**
 * Finds or assigns the id of a schema: the beginning of its fingerprint, or the next free number after it.
 *
 * A store that is created again then assigns the same ids, so that producers with cached ids are still understood.
 */
async function assignId(client: PoolClient, { text, fingerprint }: SchemaText): Promise<number> {
  const known = await client.query<{ id: number }>(
    'select id from registered_schema where fingerprint = $1',
    [fingerprint],
  );
  if (known.rows[0] !== undefined) return known.rows[0].id;
  for (let id = Number.parseInt(fingerprint.slice(0, ID_DIGITS), 16) & MAX_ID; ; id = (id + 1) & MAX_ID) {
    if (id === 0) continue;
    const { rowCount } = await client.query(
      'insert into registered_schema (id, fingerprint, schema_text) values ($1, $2, $3) on conflict (id) do nothing',
      [id, fingerprint, text],
    );
    if (rowCount === 1) return id;
  }
}
