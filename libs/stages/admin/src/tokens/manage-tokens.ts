import { hideSecrets, mintToken } from '@stratalog/http';
import {
  InvalidRequestError,
  NotFoundError,
  didYouMean,
  parseUrn,
  type AccessLimits,
  type Scope,
} from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import type { Clock, StoredToken, TokenPage, TokenStore } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';

export interface TokenDeps {
  readonly registry: EntityRegistry;
  readonly clock: Clock;
  readonly tokens: TokenStore;
  /** Forgets what this process knows about a token. */
  readonly tokenVerifier: { readonly forget: (id: string) => void };
}

export interface TokenRequest {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The caller by default. */
  readonly actor?: string | undefined;
  readonly entityTypes: readonly string[];
  readonly platforms: readonly string[];
  readonly calls: readonly string[];
  readonly speaksForOthers: boolean;
  readonly expiresInSeconds?: number | undefined;
}

/**
 * Makes a token. Only this answer has its secret.
 *
 * **Errors**: `InvalidRequestError` for a name without characters, no scope, an actor that is no urn, and an unknown entity type.
 */
export async function createToken(
  deps: TokenDeps,
  request: TokenRequest,
  caller: string,
): Promise<JsonOutputObject> {
  const { name, scopes, actor = caller, speaksForOthers, expiresInSeconds } = request;
  requireText(name, 'name');
  if (scopes.length === 0)
    throw new InvalidRequestError(`Parameter 'scopes' is empty, but must name a scope`);
  const urn = parseUrn(actor);
  if ('fault' in urn) throw new InvalidRequestError(`Parameter 'actor' is "${actor}", which ${urn.fault}`);
  const limits = toLimits(deps.registry, request);
  const { id, token, hash } = mintToken();
  const stored = await deps.tokens.add({
    ...{ id, name, actor, limits, speaksForOthers, hash },
    scopes: [...new Set(scopes)],
    isSession: false,
    createdBy: caller,
    ...toExpiry(expiresInSeconds),
  });
  return { ...formatToken(deps, stored), token };
}

export interface RotationRequest {
  readonly id: string;
  readonly overlapSeconds: number;
  readonly expiresInSeconds?: number | undefined;
}

/**
 * Replaces the secret of a token. Only this answer has the new one.
 *
 * **Errors**: `NotFoundError` for a token that is unknown, revoked or expired.
 */
export async function rotateToken(
  deps: TokenDeps,
  { id, overlapSeconds, expiresInSeconds }: RotationRequest,
): Promise<JsonOutputObject> {
  requireId(id);
  const { token, hash } = mintToken(id);
  const rotation = { id, hash, overlapMs: overlapSeconds * 1_000, ...toExpiry(expiresInSeconds) };
  const stored = await deps.tokens.rotate(rotation);
  if (stored === undefined) throw new NotFoundError(`There is no valid token with the id ${id}`);
  deps.tokenVerifier.forget(id);
  return { ...formatToken(deps, stored), token };
}

/** **Errors**: `NotFoundError` for an unknown id. */
export async function revokeToken(deps: TokenDeps, id: string): Promise<JsonOutputObject> {
  requireId(id);
  const stored = await deps.tokens.revoke(id);
  if (stored === undefined) throw new NotFoundError(`There is no token with the id ${id}`);
  deps.tokenVerifier.forget(id);
  return formatToken(deps, stored);
}

export async function listTokens(deps: TokenDeps, page: TokenPage): Promise<JsonOutputObject> {
  const tokens = await deps.tokens.list(page);
  return { tokens: tokens.map((token) => formatToken(deps, token)) };
}

const ID = /^[0-9a-f]{12}$/;
/** Method, path and action, as audit records name calls. */
const CALL = /^(?:GET|POST|PUT|DELETE) \/[^\s\p{Cc}]*(?: \w+)?$/u;

/** **Errors**: `NotFoundError` for a text that no token has as its id. */
function requireId(id: string): void {
  if (!ID.test(id))
    throw new NotFoundError(`There is no token with the id ${JSON.stringify(hideSecrets(id))}`);
}

function requireText(value: string, parameter: string): void {
  if (value.trim() === '') throw new InvalidRequestError(`Parameter '${parameter}' is empty`);
  if (/\p{Cc}/u.test(value)) {
    throw new InvalidRequestError(
      `Parameter '${parameter}' has a control character: ${JSON.stringify(value)}`,
    );
  }
}

function toLimits(registry: EntityRegistry, { entityTypes, platforms, calls }: TokenRequest): AccessLimits {
  const unknown = entityTypes.find((type) => registry.entityType(type) === undefined);
  if (unknown !== undefined) {
    const near = didYouMean(
      unknown,
      registry.entityTypes.map(({ name }) => name),
    );
    throw new InvalidRequestError(`Parameter 'entityTypes' has "${unknown}", which is no entity type${near}`);
  }
  for (const platform of platforms) requireText(platform, 'platforms');
  const wrong = calls.find((call) => !CALL.test(call));
  if (wrong !== undefined) {
    throw new InvalidRequestError(
      `Parameter 'calls' has ${JSON.stringify(wrong)}, which is not of the form "POST /entities search"`,
    );
  }
  return {
    ...(entityTypes.length === 0 ? {} : { entityTypes }),
    ...(platforms.length === 0 ? {} : { platforms }),
    ...(calls.length === 0 ? {} : { calls }),
  };
}

function toExpiry(seconds: number | undefined): { readonly expiresInMs?: number } {
  return seconds === undefined ? {} : { expiresInMs: seconds * 1_000 };
}

function formatToken({ clock }: Pick<TokenDeps, 'clock'>, token: StoredToken): JsonOutputObject {
  const { id, name, actor, scopes, limits, speaksForOthers, createdMs, createdBy } = token;
  const { expiresMs, revokedMs, rotatedMs, lastUsedMs } = token;
  return {
    ...{ id, name, actor, scopes: [...scopes] },
    entityTypes: toList(limits.entityTypes),
    platforms: toList(limits.platforms),
    calls: toList(limits.calls),
    speaksForOthers,
    state: revokedMs !== undefined ? 'revoked' : (expiresMs ?? Infinity) <= clock.now() ? 'expired' : 'valid',
    createdMillis: createdMs,
    createdBy,
    expiresMillis: expiresMs,
    revokedMillis: revokedMs,
    rotatedMillis: rotatedMs,
    lastUsedMillis: lastUsedMs,
  };
}

function toList(names: readonly string[] | undefined): string[] | undefined {
  return names === undefined ? undefined : [...names];
}
