import type { SchemaStore, SchemaText, SubjectVersion } from '@stratalog/ports';
import type { EntityManager, FindOptionsWhere } from 'typeorm';
import type { Database } from '../database/database';
import { RegisteredSchemaRow, SchemaSubjectRow } from '../rows/schema.row';

/** An arbitrary number that every process of this product shares. */
const REGISTER_LOCK = 7_305_410_204;
const ID_DIGITS = 8;
const MAX_ID = 0x7fffffff;

/** Stores schemas in two tables. Registrations are rare and run one at a time; all other calls only read. */
export class PostgresSchemaStore implements SchemaStore {
  constructor(private readonly database: Database) {}

  async register(subject: string, schema: SchemaText): Promise<SubjectVersion> {
    const known = await this.find(subject, schema.fingerprint);
    if (known !== undefined) return known;
    return this.database.transaction(async (client, rows) => {
      await client.query('select pg_advisory_xact_lock($1)', [REGISTER_LOCK]);
      const [other] = await select(rows, { subject, schema: { fingerprint: schema.fingerprint } });
      if (other !== undefined) return other;
      const last = (await rows.maximum(SchemaSubjectRow, 'version', { subject })) ?? 0;
      const row = { subject, version: last + 1, schema: await assignId(rows, schema) };
      await rows.insert(SchemaSubjectRow, row);
      return toSubjectVersion(row);
    });
  }

  async find(subject: string, fingerprint: string): Promise<SubjectVersion | undefined> {
    return (await this.select({ subject, schema: { fingerprint } }))[0];
  }

  schema(id: number): Promise<string | undefined> {
    return this.database.read(
      async (_, rows) => (await rows.findOneBy(RegisteredSchemaRow, { id }))?.schemaText,
    );
  }

  async subjects(): Promise<readonly string[]> {
    const firsts = await this.database.read((_, rows) => rows.findBy(SchemaSubjectRow, { version: 1 }));
    // Sorts by UTF-16 code units, independent of the database's collation.
    return firsts.map(({ subject }) => subject).sort();
  }

  versions(subject: string): Promise<readonly SubjectVersion[]> {
    return this.select({ subject });
  }

  countUses(id: number): Promise<readonly SubjectVersion[]> {
    return this.select({ schema: { id } });
  }

  private select(where: FindOptionsWhere<SchemaSubjectRow>): Promise<readonly SubjectVersion[]> {
    return this.database.read((_, rows) => select(rows, where));
  }
}

async function select(
  rows: EntityManager,
  where: FindOptionsWhere<SchemaSubjectRow>,
): Promise<readonly SubjectVersion[]> {
  const order = { subject: 'asc', version: 'asc' } as const;
  return (await rows.find(SchemaSubjectRow, { where, order, relations: { schema: true } })).map(
    toSubjectVersion,
  );
}

function toSubjectVersion({ subject, version, schema }: SchemaSubjectRow): SubjectVersion {
  return { subject, version, id: schema.id, text: schema.schemaText };
}

/**
 * Finds or assigns the id of a schema: the beginning of its fingerprint, or the next free number after it.
 *
 * A store that is created again then assigns the same ids, so that producers with cached ids are still understood.
 */
async function assignId(
  rows: EntityManager,
  { text, fingerprint }: SchemaText,
): Promise<RegisteredSchemaRow> {
  const known = await rows.findOneBy(RegisteredSchemaRow, { fingerprint });
  if (known !== null) return known;
  let id = Number.parseInt(fingerprint.slice(0, ID_DIGITS), 16) & MAX_ID;
  while (id === 0 || (await rows.existsBy(RegisteredSchemaRow, { id }))) id = (id + 1) & MAX_ID;
  const row = { id, fingerprint, schemaText: text };
  await rows.insert(RegisteredSchemaRow, row);
  return row;
}
