import type {
  NewToken,
  StoredToken,
  TokenHash,
  TokenLookup,
  TokenPage,
  TokenRotation,
  TokenState,
  TokenStore,
} from '@stratalog/ports';
import type { Database } from '../database/database';
import { AccessTokenRow, NOTE_EVERY } from '../rows/access-token.row';

/** Hashes of one token: always two, because a missing one would cost less. No secret has the digest. */
const READ_HASHES = `select coalesce(t.salt, $2) as salt, coalesce(t.digest, $3) as digest,
       coalesce(case when t.previous_until > clock_timestamp() then t.previous_salt end, $2) as "previousSalt",
       coalesce(case when t.previous_until > clock_timestamp() then t.previous_digest end, $3) as "previousDigest"
  from (values (1)) one left join access_token t on t.id = $1`;
const NO_SALT = Buffer.alloc(16);
const NO_DIGEST = Buffer.alloc(32);

const IN_MS = `clock_timestamp() + $2 * interval '1 millisecond'`;

/** Keeps tokens in one table. All times are the server's, so that no process's clock matters. */
export class PostgresTokenStore implements TokenStore {
  constructor(private readonly database: Database) {}

  add({ hash: { salt, digest }, expiresInMs, ...token }: NewToken): Promise<StoredToken> {
    return this.database.transaction(async (client, rows) => {
      await rows.insert(AccessTokenRow, { ...token, scopes: [...token.scopes], salt, digest });
      if (expiresInMs !== undefined) {
        const values = [token.id, expiresInMs];
        await client.query(`update access_token set expires = ${IN_MS} where id = $1`, values);
      }
      return toToken(await rows.findOneByOrFail(AccessTokenRow, { id: token.id }));
    });
  }

  async readHashes(id: string): Promise<readonly TokenHash[]> {
    const { rows } = await this.database.use((client) =>
      client.query<Record<'salt' | 'digest' | 'previousSalt' | 'previousDigest', Buffer>>({
        name: 'read-token-hashes',
        text: READ_HASHES,
        values: [id, NO_SALT, NO_DIGEST],
      }),
    );
    return rows.flatMap(({ salt, digest, previousSalt, previousDigest }) => [
      { salt, digest },
      { salt: previousSalt, digest: previousDigest },
    ]);
  }

  find(id: string): Promise<TokenLookup | undefined> {
    return this.database.read(async (_, rows) => {
      const row = await rows.findOneBy(AccessTokenRow, { id });
      return row === null ? undefined : toLookup(row);
    });
  }

  list({ start, count, isSession = false }: TokenPage): Promise<readonly StoredToken[]> {
    return this.database.read(async (_, rows) => {
      const page = {
        where: { isSession },
        order: { created: 'desc', id: 'asc' },
        skip: start,
        take: count,
      } as const;
      return (await rows.find(AccessTokenRow, page)).map(toToken);
    });
  }

  rotate({ id, hash, overlapMs, expiresInMs }: TokenRotation): Promise<StoredToken | undefined> {
    return this.database.transaction(async (client, rows) => {
      const { rowCount } = await client.query(
        `update access_token
            set previous_salt = salt, previous_digest = digest, previous_until = ${IN_MS},
                salt = $3, digest = $4, rotated = clock_timestamp(),
                expires = case when $5::bigint is null then expires
                               else clock_timestamp() + $5::bigint * interval '1 millisecond' end
          where id = $1 and revoked is null and (expires is null or expires > clock_timestamp())`,
        [id, overlapMs, hash.salt, hash.digest, expiresInMs ?? null],
      );
      return rowCount === 0 ? undefined : toToken(await rows.findOneByOrFail(AccessTokenRow, { id }));
    });
  }

  revoke(id: string): Promise<StoredToken | undefined> {
    return this.database.transaction(async (client, rows) => {
      await client.query(
        'update access_token set revoked = clock_timestamp() where id = $1 and revoked is null',
        [id],
      );
      const row = await rows.findOneBy(AccessTokenRow, { id });
      return row === null ? undefined : toToken(row);
    });
  }

  async purgeSessions(): Promise<void> {
    await this.database.use((client) =>
      client.query(
        'delete from access_token where is_session and (expires <= clock_timestamp() or revoked is not null)',
      ),
    );
  }

  async recordUse(id: string): Promise<void> {
    await this.database.use((client) =>
      client.query({
        name: 'record-token-use',
        text: `update access_token set last_used = clock_timestamp()
                where id = $1 and (last_used is null or last_used < clock_timestamp() - ${NOTE_EVERY})`,
        values: [id],
      }),
    );
  }
}

function toToken(row: AccessTokenRow): StoredToken {
  const { id, name, actor, scopes, limits, speaksForOthers, isSession, created, createdBy } = row;
  const { expires, revoked, rotated, lastUsed } = row;
  return {
    ...{ id, name, actor, scopes, limits, speaksForOthers, isSession, createdBy },
    createdMs: created.getTime(),
    ...(expires === null ? {} : { expiresMs: expires.getTime() }),
    ...(revoked === null ? {} : { revokedMs: revoked.getTime() }),
    ...(rotated === null ? {} : { rotatedMs: rotated.getTime() }),
    ...(lastUsed === null ? {} : { lastUsedMs: lastUsed.getTime() }),
  };
}

function toLookup(row: AccessTokenRow): TokenLookup {
  return { token: toToken(row), state: toState(row), isUseRecorded: row.isUseRecorded };
}

function toState({ revoked, isExpired }: AccessTokenRow): TokenState {
  if (revoked !== null) return 'revoked';
  return isExpired ? 'expired' : 'valid';
}
