import { createHash, timingSafeEqual } from 'node:crypto';
import { UnauthenticatedError } from '@stratalog/model';

/**
 * `all`: every call except public ones needs a token. `operations`: administrative calls need one. `none`: no
 * call needs one.
 */
export const AUTH_MODES = ['all', 'operations', 'none'] as const;
export type AuthMode = (typeof AUTH_MODES)[number];

/**
 * How a route is guarded: a `public` route is open in every mode, an `administrative` one in mode `none`
 * only.
 */
export type Access = 'public' | 'ordinary' | 'administrative';

export interface AuthOptions {
  readonly mode: AuthMode;
  /** Accepted tokens, each with the urn of the actor that it authenticates. */
  readonly tokens: readonly { readonly token: string; readonly actor: string }[];
  /** The namespace of the urn that unauthenticated calls are attributed to; `li` by default. */
  readonly urnNamespace?: string;
}

const DEFAULT_URN_NAMESPACE = 'li';
const BEARER = /^Bearer +(.+)$/i;
/** Clients of schema registries send a user and a password. */
const BASIC = /^Basic +(.+)$/i;

/** The urn of the operator of the catalog, whom its own token authenticates. */
export function operatorUrn(namespace: string): string {
  return userUrn(namespace, 'admin');
}

function userUrn(namespace: string, name: string): string {
  return `urn:${namespace}:corpuser:${name}`;
}

/** Authenticates callers. A call that needs no token has none checked, so that a stale token does no harm. */
export class Authenticator {
  private readonly mode: AuthMode;
  private readonly anonymous: string;
  private readonly accepted: readonly { readonly digest: Buffer; readonly actor: string }[];

  constructor(options: AuthOptions) {
    this.mode = options.mode;
    this.anonymous = userUrn(options.urnNamespace ?? DEFAULT_URN_NAMESPACE, 'unknown');
    this.accepted = options.tokens.map(({ token, actor }) => ({ digest: computeDigest(token), actor }));
  }

  /**
   * Returns the urn of the caller. The token may also be the password of basic authentication, for any user.
   *
   * **Errors**: `UnauthenticatedError` that says whether the token is missing or unknown.
   */
  actorOf(access: Access, authorization: string | undefined): string {
    if (!needsToken(this.mode, access)) return this.anonymous;
    const token = tokenIn(authorization ?? '');
    if (token === undefined) {
      throw new UnauthenticatedError(
        'This call needs a token: no header Authorization: Bearer <token> was sent',
      );
    }
    const digest = computeDigest(token);
    let actor: string | undefined;
    // Compares every token, by digest, so that the response time reveals nothing about any of them.
    for (const known of this.accepted) if (timingSafeEqual(known.digest, digest)) actor = known.actor;
    if (actor === undefined) throw new UnauthenticatedError('The token of this call is unknown');
    return actor;
  }
}

/** Whether a route needs a token in a mode. */
export function needsToken(mode: AuthMode, access: Access): boolean {
  switch (mode) {
    case 'none':
      return false;
    case 'operations':
      return access === 'administrative';
    case 'all':
      return access !== 'public';
  }
}

function tokenIn(authorization: string): string | undefined {
  const basic = BASIC.exec(authorization)?.[1];
  if (basic === undefined) return BEARER.exec(authorization)?.[1]?.trim();
  const pair = Buffer.from(basic.trim(), 'base64').toString('utf8');
  const colonAt = pair.indexOf(':');
  return colonAt === -1 ? undefined : pair.slice(colonAt + 1);
}

function computeDigest(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}
