import type { AccessLimits, Scope } from '@stratalog/domain';

/** The grant of a token: its rights and its holder. */
interface TokenGrant {
  /** For people; several tokens may have the same one. */
  readonly name: string;
  /** Urn of the user on whose behalf calls with the token act. */
  readonly actor: string;
  readonly scopes: readonly Scope[];
  readonly limits: AccessLimits;
  /** True when calls may name another user as their actor. */
  readonly speaksForOthers: boolean;
  /** True for the session of a person in a browser. It expires, and is deleted soon after it has ended. */
  readonly isSession: boolean;
}

/** A token without its secret. Times are epoch ms, by the clock of the store's server. */
export interface StoredToken extends TokenGrant {
  /** Public part of the token. */
  readonly id: string;
  readonly createdMs: number;
  /** Urn of the user who made it. */
  readonly createdBy: string;
  readonly expiresMs?: number;
  readonly revokedMs?: number;
  /** Time of the last rotation. */
  readonly rotatedMs?: number;
  /** A use within ten minutes after a recorded one is not recorded. */
  readonly lastUsedMs?: number;
}

/** The salted hash of a secret. */
export interface TokenHash {
  readonly salt: Buffer;
  readonly digest: Buffer;
}

export interface NewToken extends TokenGrant {
  readonly id: string;
  readonly hash: TokenHash;
  readonly createdBy: string;
  /** Absent: the token does not expire. */
  readonly expiresInMs?: number;
}

export interface TokenRotation {
  readonly id: string;
  readonly hash: TokenHash;
  /** The secret before this one stays valid for so long. */
  readonly overlapMs: number;
  /** Absent: the time of expiry stays. */
  readonly expiresInMs?: number;
}

export type TokenState = 'valid' | 'expired' | 'revoked';

/** A token as it is now, by the clock of the store's server. */
export interface TokenLookup {
  readonly token: StoredToken;
  readonly state: TokenState;
  /** True when a use now is recorded already. */
  readonly isUseRecorded: boolean;
}

export interface TokenPage {
  readonly start: number;
  readonly count: number;
  /** Lists sessions instead of all other tokens; false by default. */
  readonly isSession?: boolean;
}

/**
 * Keeps access tokens, without their secrets. Revoked and expired tokens stay listed, except sessions.
 *
 * **Errors**: `UnavailableError` from every method.
 */
export interface TokenStore {
  /** Adds a token, whose id must be new. */
  add(token: NewToken): Promise<StoredToken>;

  /**
   * Reads the hash of a token's secret, and of the one before it as long as both are valid.
   *
   * **Time**: the same for an unknown id and for every token. Hashes that no secret has stand for those that are missing.
   */
  readHashes(id: string): Promise<readonly TokenHash[]>;

  /** `undefined` for an unknown id. */
  find(id: string): Promise<TokenLookup | undefined>;

  /** Lists tokens, the newest first. */
  list(page: TokenPage): Promise<readonly StoredToken[]>;

  /** Replaces the secret. `undefined` for a token that is unknown, revoked or expired. */
  rotate(rotation: TokenRotation): Promise<StoredToken | undefined>;

  /** Ends a token with all its secrets. A repeated call keeps the first time. `undefined` for an unknown id. */
  revoke(id: string): Promise<StoredToken | undefined>;

  /** Deletes the sessions that have ended. */
  purgeSessions(): Promise<void>;

  /** Records that a token is used now. */
  recordUse(id: string): Promise<void>;
}
