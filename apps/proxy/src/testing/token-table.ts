import { beforeAll, describe, expect, it } from '@jest/globals';
import { API_ROUTES } from '@stratalog/api-docs';
import { everyPath, mintToken, type DocumentedRoute } from '@stratalog/http';
import { NEEDED_SCOPE, SCOPES, type Scope } from '@stratalog/domain';
import type { JsonObject } from '@stratalog/json';
import { inParallel } from '@stratalog/concurrency';
import { until } from '@stratalog/testkit';
import { OPERATOR, type GuardedClient, type MadeToken } from './guarded-client';

const TAG = 'urn:li:tag:guarded';
/** Requests under way together. */
const AT_ONCE = 16;
const ROUTES = everyPath(API_ROUTES);

export interface TokenTable {
  /** Makes the tokens. */
  readonly client: () => GuardedClient;
  /** The addresses that are called, each with its name. */
  readonly places: readonly (readonly [name: string, url: () => string])[];
}

/** Every route rejects every caller that it should, and admits the others, at each place. */
export function tokenTable({ client, places }: TokenTable): void {
  const byScope = new Map<Scope, string>();
  let known: MadeToken;
  let expired: string;
  let revoked: string;

  beforeAll(async () => {
    for (const scope of SCOPES) byScope.set(scope, (await client().makeToken({ scopes: [scope] })).token);
    known = await client().makeToken({ scopes: [...SCOPES] });
    const old = await client().makeToken({ scopes: [...SCOPES], expiresInSeconds: 1 });
    expired = old.token;
    const ended = await client().makeToken({ scopes: [...SCOPES] });
    revoked = ended.token;
    await client().administer('revokeToken', { id: ended.id });
    await until(async () => (await readState(client(), old.id)) === 'expired');
  });

  /** A call that no use case accepts: its body is no JSON, and its path names nothing. */
  const call = async (
    base: string,
    route: DocumentedRoute,
    headers: Readonly<Record<string, string>>,
  ): Promise<number> => {
    const path = route.path.replace(':urn', encodeURIComponent(TAG)).replace(/:\w+/g, 'x');
    const url = new URL(route.action === undefined ? path : `${path}?action=${route.action}`, base);
    const { method } = route;
    const { status, body } = await fetch(url, {
      method,
      headers,
      ...(method === 'GET' ? {} : { body: '[' }),
    });
    await body?.cancel();
    return status;
  };
  const named = ({ method, path, action = '' }: DocumentedRoute): string => `${method} ${path} ${action}`;

  /** Lists the routes whose answer is not as expected. */
  const findFaults = async (
    base: string,
    headers: Readonly<Record<string, string>>,
    expected: (route: DocumentedRoute) => number | undefined,
  ): Promise<readonly string[]> => {
    const faults = await inParallel(ROUTES, AT_ONCE, async (route) => {
      const wanted = route.access === 'public' ? undefined : expected(route);
      const status = await call(base, route, headers);
      const isAsWanted = wanted === undefined ? status !== 401 && status !== 403 : status === wanted;
      return isAsWanted ? [] : [`${named(route)}: ${String(status)}, not ${String(wanted ?? 'admitted')}`];
    });
    return faults.flat();
  };

  describe.each(places)('of %s', (_name, base) => {
    it.each<readonly [string, () => string | undefined]>([
      ['no token', () => undefined],
      ['an empty token', () => ''],
      ['another text', () => 'None'],
      ['a malformed token', () => `${known.token.slice(0, -1)}x`],
      ['an unknown token', () => mintToken().token],
      ['a wrong secret', () => mintToken(known.id).token],
      ['an expired token', () => expired],
      ['a revoked token', () => revoked],
    ])('rejects %s with 401 on every route that is not public', async (_caller, token) => {
      const given = token();
      const headers = given === undefined ? {} : { authorization: `Bearer ${given}` };
      expect(await findFaults(base(), headers, () => 401)).toEqual([]);
    });

    it.each(SCOPES)('admits the scope %s where a route needs it, and rejects it elsewhere', async (scope) => {
      const headers = { authorization: `Bearer ${byScope.get(scope) ?? ''}` };
      const expected = ({ effect }: DocumentedRoute) => (NEEDED_SCOPE[effect] === scope ? undefined : 403);
      expect(await findFaults(base(), headers, expected)).toEqual([]);
    });

    it('admits every scope, whatever actor the caller names', async () => {
      const headers = { authorization: `Bearer ${known.token}`, 'x-datahub-actor': 'nobody' };
      expect(await findFaults(base(), headers, () => undefined)).toEqual([]);
    });
  });
}

async function readState(client: GuardedClient, id: string): Promise<unknown> {
  const { json } = await client.send('/operations/tokens?count=100', OPERATOR);
  return (json.tokens as JsonObject[]).find((each) => each.id === id)?.state;
}
