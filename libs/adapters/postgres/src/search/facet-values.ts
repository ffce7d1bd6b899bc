import { hash } from 'node:crypto';
import { withoutNul, type SearchDocument } from '@stratalog/model';
import { textArray } from '../database/binary-arrays';
import type { Database } from '../database/database';
import { onTables } from '../index-versions/postgres-index';

/** A value of a field that facets count. */
export interface FacetValue {
  readonly field: string;
  readonly value: string;
}

interface FacetRow extends FacetValue {
  readonly id: number;
}

/** The ids of facet values, by {@link toFacetKey}. */
export type FacetIds = ReadonlyMap<string, number>;

/** Most remembered values; when there are more, all are forgotten, and read again as they are needed. */
const MAX_VALUES = 200_000;

/** The facet values of an index version and the ids by which documents name them, of which this process remembers those that it has met. */
export class FacetValues {
  private readonly ids = new Map<string, number>();
  private readonly values = new Map<number, FacetValue>();

  constructor(
    private readonly database: Database,
    private readonly table: string,
  ) {}

  /** Returns the ids of all values of these documents, and stores the values that the index does not have. */
  async store(documents: readonly Pick<SearchDocument, 'facets'>[]): Promise<FacetIds> {
    const ids = new Map<string, number>();
    const unknown = new Map<string, FacetValue>();
    for (const { facets } of documents) {
      for (const [field, own] of Object.entries(facets)) {
        for (const value of own) {
          const key = toFacetKey(field, value);
          const id = this.ids.get(key);
          if (id === undefined) unknown.set(key, { field, value: withoutNul(value) });
          else ids.set(key, id);
        }
      }
    }
    if (unknown.size === 0) return ids;
    const stored = new Map((await this.findOrAdd([...unknown.values()])).map((row) => [digest(row), row.id]));
    for (const [key, value] of unknown) {
      const id = stored.get(digest(value));
      if (id !== undefined) ids.set(key, id);
    }
    this.remember(ids);
    return ids;
  }

  /** Reads the values that these ids name. */
  async read(ids: readonly number[]): Promise<ReadonlyMap<number, FacetValue>> {
    const found = new Map<number, FacetValue>();
    const unknown: number[] = [];
    for (const id of ids) {
      const value = this.values.get(id);
      if (value === undefined) unknown.push(id);
      else found.set(id, value);
    }
    if (unknown.length === 0) return found;
    if (this.values.size + unknown.length > MAX_VALUES) this.values.clear();
    for (const { id, field, value } of await this.select('id = any($1::integer[])', [unknown])) {
      found.set(id, { field, value });
      this.values.set(id, { field, value });
    }
    return found;
  }

  /** Adds values in the order of their digests, so that concurrent writers of the same values wait for one another in one order. */
  private async findOrAdd(values: readonly FacetValue[]): Promise<readonly FacetRow[]> {
    const missing = new Map(values.map((value) => [digest(value), value]));
    const stored = await this.select('digest = any($1::text[])', [textArray([...missing.keys()])]);
    for (const row of stored) missing.delete(digest(row));
    if (missing.size === 0) return stored;
    const added = await this.query(
      `insert into ${this.table} (field, value, digest)
       select field, value, digest from unnest($1::text[], $2::text[], $3::text[]) i(field, value, digest) order by digest
       on conflict (digest) do update set digest = excluded.digest
       returning id, field, value`,
      [
        textArray([...missing.values()].map(({ field }) => field)),
        textArray([...missing.values()].map(({ value }) => value)),
        textArray([...missing.keys()]),
      ],
    );
    return [...stored, ...added];
  }

  private select(condition: string, values: readonly unknown[]): Promise<readonly FacetRow[]> {
    return this.query(`select id, field, value from ${this.table} where ${condition}`, values);
  }

  private query(text: string, values: readonly unknown[]): Promise<readonly FacetRow[]> {
    return onTables(
      this.database.use(async (client) => (await client.query<FacetRow>(text, [...values])).rows),
    );
  }

  private remember(ids: FacetIds): void {
    if (this.ids.size + ids.size > MAX_VALUES) this.ids.clear();
    for (const [key, id] of ids) this.ids.set(key, id);
  }
}

/** Identifies a value of a field. */
export function toFacetKey(field: string, value: string): string {
  return `${field}\0${value}`;
}

function digest({ field, value }: FacetValue): string {
  return hash('sha256', toFacetKey(field, value), 'base64');
}
