import { hash as digest } from 'node:crypto';
import { InvalidRequestError, type EntityEdges } from '@stratalog/domain';
import { textArray } from '../database/binary-arrays';
import type { Database } from '../database/database';
import { onTables } from '../index-versions/postgres-index';
import type { GraphTables } from './graph-tables';

/**
 * Longest end of an edge that the table of edges holds as it is. **Units**: characters. A table within its limit is named whole in the
 * urns of its columns, and three bytes for each character leave room in an index entry, which has at most 2,704 bytes.
 */
const MAX_LENGTH = 600;
/** No urn contains this character. */
const SEPARATOR = '\u241f';
const DIGITS = 32;
/** Most characters of long urns in one answer. */
const MAX_ANSWER_LENGTH = 64 * 1024 * 1024;
/** Most characters of long urns in one statement that writes them. */
const MAX_WRITTEN_LENGTH = 1024 * 1024;

/**
 * Returns the text that stands for a urn in the table of edges: the urn itself, or the start of a long one and its hash. Each urn has a
 * text of its own, and long urns are ordered by their starts.
 */
export function storedEnd(urn: string): string {
  if (urn.length <= MAX_LENGTH) return urn;
  const start = urn.slice(0, MAX_LENGTH).replace(/\p{Surrogate}$/u, '');
  return start + SEPARATOR + digest('sha256', urn, 'hex').slice(0, DIGITS);
}

function isShortened(end: string): boolean {
  return end.length >= MAX_LENGTH && end.at(-DIGITS - 1) === SEPARATOR;
}

/** Keeps the long urns of a graph's edges, each once. They stay until the index version is dropped. */
export class LongUrns {
  constructor(
    private readonly database: Database,
    private readonly tables: GraphTables,
  ) {}

  /** Stores the long urns of the entries: before their edges, and in order, so that two writes cannot deadlock. */
  async store(entries: readonly EntityEdges[]): Promise<void> {
    const urns = new Map<string, string>();
    for (const { sets } of entries)
      for (const { edges } of sets)
        for (const { source, destination } of edges)
          for (const urn of [source, destination]) if (urn.length > MAX_LENGTH) urns.set(urn, '');
    if (urns.size === 0) return;
    for (const urn of urns.keys()) urns.set(urn, storedEnd(urn));
    for (const part of partsOf([...urns])) {
      await onTables(
        this.database.use((client) =>
          client.query(
            `insert into ${this.tables.longUrns} (stored_end, urn)
             select stored_end, urn from unnest($1::text[], $2::text[]) u(stored_end, urn)
              order by stored_end collate "C" on conflict do nothing`,
            [textArray(part.map(([, end]) => end)), textArray(part.map(([urn]) => urn))],
          ),
        ),
      );
    }
  }

  /**
   * Replaces the stored ends in the named members by their urns.
   *
   * **Errors**: `InvalidRequestError` when the urns together are larger than an answer may be.
   */
  async expand<Row extends object>(
    rows: readonly Row[],
    ...members: readonly (keyof Row)[]
  ): Promise<readonly Row[]> {
    const ends = new Set<string>();
    for (const row of rows)
      for (const member of members) {
        const end = row[member];
        if (typeof end === 'string' && isShortened(end)) ends.add(end);
      }
    if (ends.size === 0) return rows;
    const urns = await this.read([...ends]);
    return rows.map((row) => {
      const expanded = members.flatMap((member) => {
        const urn = urns.get(String(row[member]));
        return urn === undefined ? [] : [[member, urn]];
      });
      return expanded.length === 0 ? row : { ...row, ...(Object.fromEntries(expanded) as Partial<Row>) };
    });
  }

  private async read(ends: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { rows } = await onTables(
      this.database.search((client) =>
        client.query<{ readonly stored_end: string; readonly urn: string | null }>(
          `select stored_end,
                  case when sum(octet_length(urn)) over (order by stored_end) <= $2 then urn end as urn
             from ${this.tables.longUrns} where stored_end = any($1::text[])`,
          [ends, MAX_ANSWER_LENGTH],
        ),
      ),
    );
    return new Map(
      rows.map(({ stored_end: end, urn }) => {
        if (urn !== null) return [end, urn];
        throw new InvalidRequestError(
          `The columns of the answer would be larger than ${String(MAX_ANSWER_LENGTH)} characters; ask for fewer`,
        );
      }),
    );
  }
}

function* partsOf(urns: readonly (readonly [string, string])[]): Iterable<(readonly [string, string])[]> {
  let [part, length]: [(readonly [string, string])[], number] = [[], 0];
  for (const each of urns) {
    part.push(each);
    length += each[0].length;
    if (length < MAX_WRITTEN_LENGTH) continue;
    yield part;
    [part, length] = [[], 0];
  }
  if (part.length > 0) yield part;
}
