import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { TokenHash } from '@stratalog/ports';

/**
 * Begins every token, so that scanners of secrets recognize one: `slg_[0-9a-f]{12}_[0-9a-f]{64}[0-9a-f]{8}`. The parts are the id,
 * the secret of 256 random bits, and the CRC-32 of all characters before it.
 */
export const TOKEN_PREFIX = 'slg_';
const TOKEN = /^slg_([0-9a-f]{12})_([0-9a-f]{64})([0-9a-f]{8})$/;
const ID_BYTES = 6;
const SECRET_BYTES = 32;
const SALT_BYTES = 16;

export interface MintedToken {
  readonly id: string;
  /** Shown once; only its hash is stored. */
  readonly token: string;
  readonly hash: TokenHash;
}

/** Mints a token, or a new secret for the token with an id. */
export function mintToken(id = randomBytes(ID_BYTES).toString('hex')): MintedToken {
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  const salt = randomBytes(SALT_BYTES);
  const text = `${TOKEN_PREFIX}${id}_${secret}`;
  return { id, token: text + computeChecksum(text), hash: { salt, digest: computeDigest(salt, secret) } };
}

export interface TokenParts {
  readonly id: string;
  readonly secret: string;
}

/** Splits a token; `undefined` when its form or its checksum is wrong. */
export function parseToken(text: string): TokenParts | undefined {
  const [, id = '', secret = '', checksum] = TOKEN.exec(text) ?? [];
  return checksum === undefined || computeChecksum(text.slice(0, -checksum.length)) !== checksum
    ? undefined
    : { id, secret };
}

/** A token in a text, also a cut one. The id is public, all behind it is secret. */
const SECRETS = /(slg_[0-9a-f]{12}_)[0-9a-f]+/g;

/** Replaces the secrets of tokens in a text that others may read: a log, a record, a message. */
export function hideSecrets(text: string): string {
  return text.includes(TOKEN_PREFIX) ? text.replaceAll(SECRETS, '$1***') : text;
}

/** True when one of the hashes is that of the secret. The time depends on the number of hashes only. */
export function matchesSecret(secret: string, hashes: readonly TokenHash[]): boolean {
  let isMatch = false;
  for (const { salt, digest } of hashes) {
    if (timingSafeEqual(computeDigest(salt, secret), digest)) isMatch = true;
  }
  return isMatch;
}

/** The secret has 256 random bits, so a fast hash resists guessing as long as a slow one. */
function computeDigest(salt: Buffer, secret: string): Buffer {
  return createHash('sha256').update(salt).update(secret, 'utf8').digest();
}

function computeChecksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
