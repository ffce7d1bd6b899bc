import { hash } from 'node:crypto';
import type { SearchDocument } from '@stratalog/domain';
import { withoutNul } from '@stratalog/json';
import type { QueryResultRow } from 'pg';
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

interface StoredId {
  readonly id: number;
  readonly digest: string;
}

/** The ids of facet values, by {@link toFacetKey}. */
export type FacetIds = ReadonlyMap<string, number>;

/** Most cached values; when there are more, all are forgotten, and read again as they are needed. */
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
    const digests = new Map([...unknown].map(([key, value]) => [key, computeDigest(value)]));
    const values = new Map([...unknown].map(([key, value]) => [digests.get(key) ?? '', value]));
    const stored = await this.findOrAdd(values);
    for (const [key, digest] of digests) {
      const id = stored.get(digest);
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
    for (const { id, field, value } of await this.query<FacetRow>(
      `select id, field, value from ${this.table} where id = any($1::integer[])`,
      [unknown],
    )) {
      found.set(id, { field, value });
      this.values.set(id, { field, value });
    }
    return found;
  }

  /**
   * Returns the ids of values by their digests. New values are added in the order of their digests, so that concurrent writers of the same
   * values wait for one another in one order.
   */
  private async findOrAdd(values: ReadonlyMap<string, FacetValue>): Promise<ReadonlyMap<string, number>> {
    const stored = await this.query<StoredId>(
      `select id, digest from ${this.table} where digest = any($1::text[])`,
      [textArray([...values.keys()])],
    );
    const ids = new Map(stored.map(({ digest, id }) => [digest, id]));
    const missing = [...values].filter(([digest]) => !ids.has(digest));
    if (missing.length === 0) return ids;
    const added = await this.query<StoredId>(
      `insert into ${this.table} (field, value, digest)
       select field, value, digest from unnest($1::text[], $2::text[], $3::text[]) i(field, value, digest) order by digest
       on conflict (digest) do update set digest = excluded.digest
       returning id, digest`,
      [
        textArray(missing.map(([, { field }]) => field)),
        textArray(missing.map(([, { value }]) => value)),
        textArray(missing.map(([digest]) => digest)),
      ],
    );
    for (const { digest, id } of added) ids.set(digest, id);
    return ids;
  }

  private query<Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    return onTables(this.database.use(async (client) => (await client.query<Row>(text, [...values])).rows));
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

function computeDigest({ field, value }: FacetValue): string {
  return hash('sha256', toFacetKey(field, value), 'base64');
}
