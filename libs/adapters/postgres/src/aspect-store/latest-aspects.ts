import type { AspectRef, LatestAspects, LatestAspectsQuery } from '@stratalog/ports';
import type { Database, Statement } from '../database/database';

/** The bounds of the urn keep the read within the primary key; the pattern alone would read all. */
const LIST: Statement = {
  name: 'list-latest-aspects',
  text: `select urn, aspect from aspect_latest
          where urn between $1 and $2 and (urn, aspect) > ($3, $4)
            and ($5::text is null or urn like $5) and ($6::text is null or aspect = $6)
            and created_ms between $7::bigint and $8::bigint
          order by urn, aspect offset $9 limit $10`,
};

/** No character in UTF-8 sorts after this one. */
const AFTER_ANY = '\u{10ffff}';

/** Reads the table `aspect_latest`. */
export class PostgresLatestAspects implements LatestAspects {
  constructor(private readonly database: Database) {}

  listAspects(query: LatestAspectsQuery): Promise<readonly AspectRef[]> {
    const { urn, aspectName, urnLike, fromMs, toMs, after, start, limit } = query;
    const prefix = urn ?? readLiteralPrefix(urnLike ?? '%');
    const place = [after?.urn ?? '', after?.aspectName ?? ''];
    const ends = [prefix, urn ?? prefix + AFTER_ANY];
    const values = [...ends, ...place, urnLike ?? null, aspectName ?? null, fromMs, toMs, start, limit];
    return this.database.search(async (client) => {
      const { rows } = await client.query<{ urn: string; aspect: string }>({ ...LIST, values });
      return rows.map(({ urn: own, aspect }) => ({ urn: own, aspectName: aspect }));
    });
  }
}

/** The part of a `like` pattern before its first wildcard or escape. */
export function readLiteralPrefix(pattern: string): string {
  return /^[^%_\\]*/.exec(pattern)?.[0] ?? '';
}
