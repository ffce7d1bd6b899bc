import {
  formatCookie,
  formatSessionCookie,
  mintToken,
  readCookie,
  type IdentityProvider,
  type JwtUser,
  type SignInAttempt,
} from '@stratalog/http';
import { NotFoundError, UnauthenticatedError, UnavailableError } from '@stratalog/domain';
import type { AuditLog, TokenStore } from '@stratalog/ports';

/** How people sign in in a browser. */
export interface SignIn {
  readonly provider: IdentityProvider;
  /** How long a session lasts. */
  readonly sessionMs: number;
  /** Whether browsers reach the catalog by TLS. */
  readonly isSecure: boolean;
}

export interface SignInDeps {
  readonly tokens: TokenStore;
  readonly audit: Pick<AuditLog, 'append'>;
  /** Absent: nobody can sign in. */
  readonly signIn?: SignIn;
}

/** Where a browser goes next, with the cookies that it gets. */
export interface Redirect {
  readonly address: string;
  readonly cookies: readonly string[];
}

const ATTEMPT_COOKIE = 'stratalog-sign-in';
/** The path of both halves of a sign-in. */
const ATTEMPT_PATH = '/session';
/** Time that a person has at the provider. */
const ATTEMPT_SECONDS = 600;
const SIGN_IN_PAGE = '/ui/sign-in';

/** An attempt, and the page that the person wanted to see. */
interface KeptAttempt extends SignInAttempt {
  readonly then: string;
}

/**
 * Sends a browser to the identity provider. What the second half needs stays in a cookie, so that any process of the catalog can take it.
 *
 * **Errors**: `NotFoundError` when the catalog has no provider; `UnavailableError` when it does not answer.
 */
export async function beginSignIn(deps: SignInDeps, then: string): Promise<Redirect> {
  const { provider, isSecure } = requireSignIn(deps);
  const { address, attempt } = await provider.begin();
  const kept: KeptAttempt = { ...attempt, then };
  const value = Buffer.from(JSON.stringify(kept), 'utf8').toString('base64url');
  // Lax: the provider's page leads back, which is another site.
  const options = { path: ATTEMPT_PATH, sameSite: 'Lax', isSecure } as const;
  return {
    address,
    cookies: [formatCookie(ATTEMPT_COOKIE, value, { ...options, maxAgeSeconds: ATTEMPT_SECONDS })],
  };
}

interface ReturnFromProvider {
  /** The query of the address, with its question mark. */
  readonly query: string;
  readonly headers: Parameters<typeof readCookie>[0];
  readonly clientAddress: string;
}

/**
 * Begins the session of a person whom the provider sent back, and leads to the page that they wanted to see. A failure leads to the page for
 * signing in, which says why.
 *
 * **Errors**: `NotFoundError` when the catalog has no provider; those of the store.
 */
export async function finishSignIn(deps: SignInDeps, back: ReturnFromProvider): Promise<Redirect> {
  const { provider, isSecure, sessionMs } = requireSignIn(deps);
  const cookies = [
    formatCookie(ATTEMPT_COOKIE, '', { path: ATTEMPT_PATH, sameSite: 'Lax', isSecure, maxAgeSeconds: 0 }),
  ];
  const kept = readAttempt(readCookie(back.headers, ATTEMPT_COOKIE));
  if (kept === undefined) return { address: `${SIGN_IN_PAGE}?problem=expired`, cookies };
  let user: JwtUser;
  try {
    user = await provider.finish(back.query, kept);
  } catch (error) {
    const query = new URLSearchParams({ problem: toProblem(error), then: kept.then });
    return { address: `${SIGN_IN_PAGE}?${query.toString()}`, cookies };
  }
  const token = await addSession(deps, { user, sessionMs, clientAddress: back.clientAddress });
  const cookie = formatSessionCookie(token, { maxAgeSeconds: Math.floor(sessionMs / 1_000), isSecure });
  return { address: kept.then, cookies: [...cookies, cookie] };
}

/** A session is a token, so that every call with it is verified, limited and recorded as one with a token. */
async function addSession(
  { tokens, audit }: SignInDeps,
  {
    user: { name, actor, scopes },
    sessionMs,
    clientAddress,
  }: { readonly user: JwtUser; readonly sessionMs: number; readonly clientAddress: string },
): Promise<string> {
  const { id, token, hash } = mintToken();
  await tokens.add({
    ...{ id, name, actor, scopes, hash },
    limits: {},
    speaksForOthers: false,
    isSession: true,
    createdBy: actor,
    expiresInMs: sessionMs,
  });
  await audit.append({
    ...{ actor, token: id, parameters: {}, address: clientAddress },
    call: 'GET /session/callback',
    outcome: 'done',
    status: 302,
    durationMs: 0,
  });
  return token;
}

function requireSignIn({ signIn }: SignInDeps): SignIn {
  if (signIn !== undefined) return signIn;
  throw new NotFoundError('No identity provider is configured: STRATALOG_OIDC_CLIENT_ID is not set');
}

/** The cookie is the browser's own; one that another program wrote leads nowhere but to a failed sign-in. */
function readAttempt(cookie: string | undefined): KeptAttempt | undefined {
  if (cookie === undefined) return undefined;
  try {
    const kept: unknown = JSON.parse(Buffer.from(cookie, 'base64url').toString('utf8'));
    return isAttempt(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function isAttempt(kept: unknown): kept is KeptAttempt {
  const { state, nonce, verifier, then } = { ...(kept as Partial<Record<keyof KeptAttempt, unknown>>) };
  return [state, nonce, verifier].every((each) => typeof each === 'string') && isPage(then);
}

/** True for the path of a page of the catalog, and for nothing that leads to another host. */
export function isPage(path: unknown): path is string {
  return typeof path === 'string' && /^\/ui\/[\x21-\x7e]*$/.test(path) && !path.includes('\\');
}

function toProblem(error: unknown): 'denied' | 'unavailable' {
  if (error instanceof UnauthenticatedError) return 'denied';
  if (error instanceof UnavailableError) return 'unavailable';
  throw error;
}
