import { formatSessionCookie } from '@stratalog/http';
import type { Principal } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import type { AuditLog, TokenStore } from '@stratalog/ports';
import type { SignIn } from './sign-in';

export interface SessionDeps {
  readonly tokens: TokenStore;
  readonly audit: Pick<AuditLog, 'append'>;
  readonly tokenVerifier: { readonly forget: (id: string) => void };
  readonly signIn?: SignIn;
}

/** Says who makes the call, and what they may do. */
export async function describeCaller(
  { tokens }: Pick<SessionDeps, 'tokens'>,
  { kind, id, name, actor, scopes, open, limits: { entityTypes, platforms, calls } }: Principal,
): Promise<JsonOutputObject> {
  const found = kind === 'token' && id !== undefined ? await tokens.find(id) : undefined;
  return {
    ...{ kind, name, actor, scopes: [...scopes], open: [...open] },
    ...(entityTypes === undefined ? {} : { entityTypes: [...entityTypes] }),
    ...(platforms === undefined ? {} : { platforms: [...platforms] }),
    ...(calls === undefined ? {} : { calls: [...calls] }),
    expiresMillis: found?.token.expiresMs,
    isSession: found?.token.isSession ?? false,
  };
}

/**
 * Ends the session of the caller. Another token stays as it is: it may be in use elsewhere. Returns the cookie that makes the browser
 * forget the session.
 */
export async function signOut(
  { tokens, audit, tokenVerifier, signIn }: SessionDeps,
  { kind, id, actor }: Principal,
  clientAddress: string,
): Promise<string> {
  const found = kind === 'token' && id !== undefined ? await tokens.find(id) : undefined;
  if (found?.token.isSession === true) {
    await tokens.revoke(found.token.id);
    tokenVerifier.forget(found.token.id);
    await audit.append({
      ...{ actor, token: found.token.id, parameters: {}, address: clientAddress },
      call: 'DELETE /session',
      outcome: 'done',
      status: 200,
      durationMs: 0,
    });
  }
  return formatSessionCookie('', { maxAgeSeconds: 0, isSecure: signIn?.isSecure ?? false });
}
