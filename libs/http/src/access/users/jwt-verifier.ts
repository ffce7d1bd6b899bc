import { UnauthenticatedError, UnavailableError, type Scope } from '@stratalog/domain';
import { createRemoteJWKSet, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { fetchKeysUrl } from './fetch-keys-url';
import type { VerifiedPrincipal, VerifyCredential } from '../authenticator';
import { toUserUrn } from './to-user-urn';

/** Signatures with private keys. `none` and those with a shared secret are never accepted: keys of the issuer are public. */
export const JWT_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const;

export interface ScopeRule {
  /** The claim that must have the value; absent for a rule about every token. */
  readonly when?: { readonly claim: string; readonly value: string };
  readonly scopes: readonly Scope[];
}

export interface JwtOptions {
  /** Issuer of the tokens: an address, compared character by character. */
  readonly issuer: string;
  readonly audience: string;
  /** Address of the issuer's public keys; by default the issuer's own description names it. */
  readonly keysUrl?: string;
  readonly algorithms: readonly string[];
  readonly clockToleranceSeconds: number;
  /** The claim that names the user: `sub`, `email`. */
  readonly actorClaim: string;
  readonly scopeRules: readonly ScopeRule[];
  readonly urnNamespace: string;
  /** Keys are fetched again for an unknown key at most so often. */
  readonly keysPauseMs?: number;
}

/** Three parts of base64url, of which the first is a JSON object. */
const JWT = /^ey[\w-]*\.[\w-]+\.[\w-]*$/;
const KEYS_PAUSE_MS = 10_000;
const KEYS_MAX_AGE_MS = 600_000;
const FETCH_LIMIT_MS = 5_000;
const FAULT_PAUSE_MS = 1_000;
/** Faults of the issuer's answer or of the way to it; anything that is no fault of jose's own is one too. */
const ISSUER_FAULTS: ReadonlySet<string> = new Set([
  'ERR_JWKS_TIMEOUT',
  'ERR_JWKS_INVALID',
  'ERR_JOSE_GENERIC',
]);

/** Verifies tokens of an identity provider: signature, issuer, audience and time. */
export class JwtVerifier {
  /** Shared by all calls: any caller may send a text that looks like a token. */
  private keys: Promise<JWTVerifyGetKey> | undefined;

  constructor(private readonly options: JwtOptions) {}

  /** **Errors**: `UnauthenticatedError` that says what is wrong; `UnavailableError` when the issuer's keys cannot be read. */
  readonly verify: VerifyCredential = (credential) =>
    JWT.test(credential) ? this.verifyJwt(credential) : undefined;

  private async verifyJwt(credential: string): Promise<VerifiedPrincipal> {
    const { issuer, audience, algorithms, clockToleranceSeconds } = this.options;
    let payload: JWTPayload;
    try {
      ({ payload } = await jwtVerify(credential, await this.openKeys(), {
        issuer,
        audience,
        algorithms: [...algorithms],
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ['exp'],
      }));
    } catch (error) {
      throw toRejection(error);
    }
    const { name, actor, scopes } = readJwtUser(payload, this.options);
    return {
      kind: 'jwt',
      id: `jwt:${name}`,
      name,
      actor,
      scopes: new Set(scopes),
      limits: {},
      speaksForOthers: false,
    };
  }

  /** An issuer that does not answer is asked again after a pause, however many calls need its keys. */
  private openKeys(): Promise<JWTVerifyGetKey> {
    if (this.keys !== undefined) return this.keys;
    const keys = this.findKeys();
    this.keys = keys;
    keys.catch(() => {
      setTimeout(() => (this.keys = undefined), FAULT_PAUSE_MS).unref();
    });
    return keys;
  }

  private async findKeys(): Promise<JWTVerifyGetKey> {
    const { keysUrl, issuer, keysPauseMs = KEYS_PAUSE_MS } = this.options;
    return createRemoteJWKSet(new URL(keysUrl ?? (await fetchKeysUrl(issuer, FETCH_LIMIT_MS))), {
      cooldownDuration: keysPauseMs,
      cacheMaxAge: KEYS_MAX_AGE_MS,
      timeoutDuration: FETCH_LIMIT_MS,
    });
  }
}

/** A rejection names what is wrong, and shows nothing of the token. */
function toRejection(error: unknown): Error {
  const { code = '', claim = '' } = error as { readonly code?: unknown; readonly claim?: unknown };
  if (error instanceof UnavailableError) return error;
  if (typeof code !== 'string' || !code.startsWith('ERR_J') || ISSUER_FAULTS.has(code)) {
    return new UnavailableError('The keys of the issuer of tokens cannot be read', { cause: error });
  }
  switch (code) {
    case 'ERR_JWT_EXPIRED':
      return new UnauthenticatedError('The token of this call is expired');
    case 'ERR_JWT_CLAIM_VALIDATION_FAILED':
      return new UnauthenticatedError(`The token of this call is not valid here: its claim ${String(claim)}`);
    default:
      return new UnauthenticatedError('The token of this call is not signed by its issuer');
  }
}

/** The user whom verified claims name. */
export interface JwtUser {
  readonly name: string;
  readonly actor: string;
  readonly scopes: readonly Scope[];
}

/** **Errors**: `UnauthenticatedError` for claims that name no user. */
export function readJwtUser(
  payload: JWTPayload,
  { actorClaim, scopeRules, urnNamespace }: Pick<JwtOptions, 'actorClaim' | 'scopeRules' | 'urnNamespace'>,
): JwtUser {
  const name = readClaim(payload, actorClaim);
  const actor = typeof name === 'string' ? toUserUrn(name, urnNamespace) : undefined;
  if (typeof name !== 'string' || actor === undefined) {
    throw new UnauthenticatedError(`The token of this call names no user: its claim ${actorClaim}`);
  }
  const scopes = scopeRules.flatMap((rule) => (appliesTo(rule, payload) ? rule.scopes : []));
  return { name, actor, scopes: [...new Set(scopes)] };
}

/** A list of words, as OAuth scopes are, has each of them as a value. */
function appliesTo({ when }: ScopeRule, payload: JWTPayload): boolean {
  if (when === undefined) return true;
  const found = readClaim(payload, when.claim);
  const values: readonly unknown[] = Array.isArray(found)
    ? found
    : typeof found === 'string'
      ? [found, ...found.split(' ')]
      : [found];
  return values.some((value) => String(value) === when.value);
}

/** Reads a claim by its name, or a member of a claim by a path with dots: `realm_access.roles`. */
function readClaim(payload: JWTPayload, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  let found: unknown = payload;
  for (const part of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[part];
  }
  return found;
}
