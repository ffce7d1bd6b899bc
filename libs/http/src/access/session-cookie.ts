import type { IncomingHttpHeaders } from 'node:http';

const SESSION_COOKIE = 'stratalog-session';

/**
 * A cookie counts in calls with this header only, whatever its value. Pages of other sites cannot set it without a preflight request, and neither
 * links, forms nor pictures can.
 */
const SESSION_HEADER = 'x-stratalog-session';

/** Returns the token of the session whose cookie a call sends with {@link SESSION_HEADER}. */
export function readSession(headers: IncomingHttpHeaders): string | undefined {
  return headers[SESSION_HEADER] === undefined ? undefined : readCookie(headers, SESSION_COOKIE);
}

/** Returns the value of a cookie; `undefined` without it, or when it is empty. */
export function readCookie({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined {
  const pair = cookie.split(';').find((each) => each.trim().startsWith(`${name}=`));
  const value = pair?.slice(pair.indexOf('=') + 1).trim();
  return value === '' ? undefined : value;
}

export interface CookieOptions {
  readonly path: string;
  /** `Strict`: not sent with a navigation that begins on another site. */
  readonly sameSite: 'Strict' | 'Lax';
  readonly maxAgeSeconds: number;
  /** Whether browsers may send it by TLS only. */
  readonly isSecure: boolean;
}

/** Formats a cookie that scripts cannot read. */
export function formatCookie(
  name: string,
  value: string,
  { path, sameSite, maxAgeSeconds, isSecure }: CookieOptions,
): string {
  const secure = isSecure ? '; Secure' : '';
  return `${name}=${value}; Path=${path}; Max-Age=${String(maxAgeSeconds)}; HttpOnly; SameSite=${sameSite}${secure}`;
}

/** Formats the cookie of a session; an empty `token` ends it in the browser. */
export function formatSessionCookie(
  token: string,
  { maxAgeSeconds, isSecure }: Pick<CookieOptions, 'maxAgeSeconds' | 'isSecure'>,
): string {
  return formatCookie(SESSION_COOKIE, token, { path: '/', sameSite: 'Strict', maxAgeSeconds, isSecure });
}
