import { createHash, timingSafeEqual } from 'node:crypto';
import {
  CALL_EFFECTS,
  SCOPES,
  UnauthenticatedError,
  type CallEffect,
  type Principal,
} from '@stratalog/domain';
import { readSession } from './session-cookie';
import { UserStandings, type UserStore } from './users/user-standings';
import { ProxyUsers, toProxyUser, type ProxyUserOptions } from './users/proxy-users';

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

/** The facts of a route that decide whether it needs a token. */
interface GuardedRoute {
  /** `ordinary` by default. */
  readonly access?: Access | undefined;
  readonly effect?: CallEffect | undefined;
}

/**
 * Recognizes one kind of credential. Returns `undefined` for a credential of another kind.
 *
 * **Errors**: `UnauthenticatedError` for a credential of its kind that is no longer valid.
 */
export type VerifyCredential = (
  credential: string,
) => VerifiedPrincipal | undefined | Promise<VerifiedPrincipal | undefined>;

/** A principal as a credential describes it; the settings add the rules of the catalog. */
export type VerifiedPrincipal = Omit<Principal, 'open' | 'policies'>;

export interface AuthOptions {
  readonly mode: AuthMode;
  /** The operator's tokens, each with the urn of the actor that it authenticates. */
  readonly tokens: readonly { readonly token: string; readonly actor: string }[];
  /** Asked in this order for each credential that is no operator's token. */
  readonly verifiers?: readonly VerifyCredential[];
  /** Users whom a trusted proxy has authenticated; without it no header names a user. */
  readonly proxyUsers?: ProxyUserOptions | undefined;
  /** The store of users, whose suspended and deleted ones may not call; without it no user is looked up. */
  readonly users?: UserStore | undefined;
  /** In the mode `operations`: whether calls that destroy need the scope `operate` too; false by default. */
  readonly guardsDestruction?: boolean;
  /** Whether stored policies decide about writes; `off` by default. */
  readonly policies?: 'off' | 'on';
  /** The namespace of the urn that unauthenticated calls are attributed to; `li` by default. */
  readonly urnNamespace?: string;
}

/** The members of a request that identify its sender. */
export type SentHeaders = Parameters<ProxyUsers['readName']>[0];

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

/**
 * Resolves the principal of each request. On a call that needs no token an unknown token does no harm: the caller is anonymous.
 */
export class Authenticator {
  private readonly mode: AuthMode;
  /** The caller of a call without a credential. */
  readonly anonymous: Principal;
  private readonly rules: Pick<Principal, 'open' | 'policies'>;
  private readonly verifiers: readonly VerifyCredential[];
  private readonly standings: UserStandings | undefined;
  private readonly findProxyUser: (request: SentHeaders) => VerifiedPrincipal | undefined;

  constructor(options: AuthOptions) {
    const { mode, tokens, verifiers = [], policies = 'off', urnNamespace = DEFAULT_URN_NAMESPACE } = options;
    this.mode = mode;
    this.rules = { open: new Set(listOpenEffects(options)), policies };
    this.anonymous = {
      kind: 'anonymous',
      name: 'anonymous',
      actor: userUrn(urnNamespace, 'unknown'),
      scopes: new Set(),
      limits: {},
      speaksForOthers: false,
      ...this.rules,
    };
    this.verifiers = [verifyOperator(tokens), ...verifiers];
    this.findProxyUser = proxyUserFinder(options.proxyUsers);
    this.standings = options.users === undefined ? undefined : new UserStandings(options.users);
  }

  /** True when calls of a route have their token checked: those that need rights. */
  checksToken({ access = 'ordinary', effect = 'reads' }: GuardedRoute): boolean {
    if (access === 'public') return false;
    return needsToken(this.mode, access) || !this.rules.open.has(effect);
  }

  /**
   * Returns the caller: that of the token, else the user that a trusted proxy names. The token may also be the password of basic
   * authentication, for any user, or that of a session.
   *
   * **Errors**: `UnauthenticatedError` that says whether the token is missing or unknown; those of {@link ProxyUsers.readName}.
   */
  authenticate(route: GuardedRoute, request: SentHeaders): Principal | Promise<Principal> {
    if (this.mode === 'none' || route.access === 'public') return this.anonymous;
    const isOpen = !this.checksToken(route);
    const user = this.findProxyUser(request);
    const credential = readCredential(request.headers);
    if (credential === undefined) {
      if (user !== undefined) return { ...user, ...this.rules };
      if (isOpen) return this.anonymous;
      throw new UnauthenticatedError(
        'This call needs a token: no header Authorization: Bearer <token> was sent',
      );
    }
    return isOpen ? this.recognize(credential) : this.verify(credential, 0);
  }

  /**
   * Checks that the caller, and the user on whose behalf it acts, are neither suspended nor deleted. `undefined`: there is no user to look up, or
   * the call is a read that needs no token.
   *
   * **Errors**: those of {@link UserStandings.require}.
   */
  requireStanding(route: GuardedRoute, caller: Principal, acting: Principal): Promise<void> | undefined {
    if (caller.kind === 'anonymous' || (caller.kind === 'operator' && acting === caller)) return undefined;
    const isOpenRead = (route.effect ?? 'reads') === 'reads' && !this.checksToken(route);
    return isOpenRead ? undefined : this.standings?.require(caller, acting);
  }

  private recognize(credential: string): Principal | Promise<Principal> {
    const toAnonymous = (error: unknown): Principal => {
      if (error instanceof UnauthenticatedError) return this.anonymous;
      throw error;
    };
    try {
      const verified = this.verify(credential, 0);
      return 'then' in verified ? verified.catch(toAnonymous) : verified;
    } catch (error) {
      return toAnonymous(error);
    }
  }

  /** Stays synchronous as long as the verifiers do: most credentials are in memory. */
  private verify(credential: string, from: number): Principal | Promise<Principal> {
    for (let at = from; at < this.verifiers.length; at++) {
      const verified = this.verifiers[at]?.(credential);
      if (verified === undefined) continue;
      if (!('then' in verified)) return { ...verified, ...this.rules };
      return verified.then((found) =>
        found === undefined ? this.verify(credential, at + 1) : { ...found, ...this.rules },
      );
    }
    throw new UnauthenticatedError('The token of this call is unknown');
  }
}

/** True when a route needs a token in a mode. */
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

function listOpenEffects({ mode, guardsDestruction = false }: AuthOptions): readonly CallEffect[] {
  switch (mode) {
    case 'none':
      return CALL_EFFECTS;
    case 'operations':
      return guardsDestruction ? ['reads', 'writes'] : ['reads', 'writes', 'destroys'];
    case 'all':
      return [];
  }
}

function proxyUserFinder(
  options: ProxyUserOptions | undefined,
): (request: SentHeaders) => VerifiedPrincipal | undefined {
  if (options === undefined) return () => undefined;
  const users = new ProxyUsers(options);
  return (request) => {
    const name = users.readName(request);
    return name === undefined ? undefined : toProxyUser(name, options);
  };
}

/** The operator has every scope. */
function verifyOperator(tokens: AuthOptions['tokens']): VerifyCredential {
  const accepted = tokens.map(({ token, actor }) => ({
    digest: computeDigest(token),
    operator: {
      kind: 'operator' as const,
      name: 'operator',
      actor,
      scopes: new Set(SCOPES),
      limits: {},
      speaksForOthers: true,
    },
  }));
  return (credential) => {
    const digest = computeDigest(credential);
    let found: VerifiedPrincipal | undefined;
    // Compares every token, by digest, so that the response time reveals nothing about any of them.
    for (const known of accepted) if (timingSafeEqual(known.digest, digest)) found = known.operator;
    return found;
  };
}

/** Returns the token of a call, in whichever form it is sent. */
export function readCredential(headers: SentHeaders['headers']): string | undefined {
  const { authorization } = headers;
  if (authorization === undefined) return readSession(headers);
  const basic = BASIC.exec(authorization)?.[1];
  if (basic === undefined) return BEARER.exec(authorization)?.[1]?.trim();
  const pair = Buffer.from(basic.trim(), 'base64').toString('utf8');
  const colonAt = pair.indexOf(':');
  return colonAt === -1 ? undefined : pair.slice(colonAt + 1);
}

function computeDigest(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}
